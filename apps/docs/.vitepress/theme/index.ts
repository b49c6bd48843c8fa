import { withBase } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import './style.css'

// Below the headline of the home page: the demo, as a recording of the real server.
const demo = () =>
  h('p', { class: 'demo' }, [
    h('img', {
      src: withBase('/pictures/demo.svg'),
      width: 767,
      height: 694,
      alt: 'A terminal: a product with an ETag, 304 for the same ETag, an order that is sent twice and created once, and a 404 as JSON',
    }),
  ])

export default { ...theme, Layout: () => h(theme.Layout, null, { 'home-hero-after': demo }) }
