/** A path of each kind of page. */
export const everyPath: readonly string[] = [
  ...['/', '/employees', '/employees?sort=-salary&department=Sales', '/employees/1', '/v2/employees/1', '/orders/3'],
  ...['/orders/3/payment', '/orders/2/tracking', '/orders/1/invoice', '/products', '/products/1', '/products/1/image'],
  ...['/products/1/reviews', '/customers/1', '/cart', '/health', '/employees/999999', '/employees?page=-1'],
  ...[
    '/docs',
    '/docs/orders',
    '/openapi.json',
    '/openapi.yaml',
    '/problems',
    '/problems/not-found',
    '/rels',
    '/rels/cancel',
    '/play',
    '/play/hal',
    '/play/ratelimit',
    '/play/idempotency',
    '/play/negotiation',
  ],
  ...['/play/negotiation?accept=video/mp4', '/play/cache', '/play/versioning', '/play/faults', '/_demo/requests'],
  ...['/_demo/tokens', '/_demo/map', '/ws/customer', '/ws/PriceService'],
]
