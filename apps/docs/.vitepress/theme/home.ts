import { Content } from 'vitepress'
import VPHomeContent from 'vitepress/dist/client/theme-default/components/VPHomeContent.vue'
import VPHomeFeatures from 'vitepress/dist/client/theme-default/components/VPHomeFeatures.vue'
import VPHomeHero from 'vitepress/dist/client/theme-default/components/VPHomeHero.vue'
import { defineComponent, h } from 'vue'

/** The home page of the default theme, inside of `main`: theirs has no main landmark. */
export default defineComponent(
  (_props, { slots }) =>
    () =>
      h('main', { class: 'home' }, [
        h(VPHomeHero),
        slots['home-hero-after']?.(),
        h(VPHomeFeatures),
        h(VPHomeContent, null, { default: () => h(Content) }),
      ]),
)
