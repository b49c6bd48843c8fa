import type { Schema } from '../engine/index.ts'

/** Creates the tables of the organization: employees, departments and projects. */
export async function createOrganization(schema: Schema): Promise<void> {
  const { table, plainTable, sortable, unique, index, id, long, text } = schema
  await table('employees', [
    id,
    `"name" ${text} not null`,
    `"department" ${text} not null`,
    `"salary" ${long} not null`,
    `"city" ${text}`,
    `"managerId" ${long} references "employees" ("id")`,
  ])
  await sortable('employees', ['name', 'department', 'salary', 'city', 'managerId'])

  await table('departments', [
    id,
    `"name" ${text} not null`,
    `"description" ${text}`,
    `"managerId" ${long} references "employees" ("id")`,
  ])
  await unique('departments', 'name')
  await sortable('departments', ['name', 'managerId'])

  await table('projects', [
    id,
    `"name" ${text} not null`,
    `"description" ${text}`,
    `"status" ${text} not null`,
    `"startDate" ${text}`,
    `"endDate" ${text}`,
    `"departmentId" ${long} references "departments" ("id")`,
  ])
  await sortable('projects', ['name', 'status', 'startDate', 'endDate', 'departmentId'])
  await plainTable('project_employees', [
    `"projectId" ${long} not null references "projects" ("id")`,
    `"employeeId" ${long} not null references "employees" ("id")`,
    'primary key ("projectId", "employeeId")',
  ])
  await index('project_employees', ['employeeId', 'projectId'])
}

/** Creates the tables of categories, products and customers, of users and their reviews. */
export async function createCatalog(schema: Schema): Promise<void> {
  const { table, plainTable, sortable, unique, index, id, long, text, randomHex } = schema
  await table('categories', [id, `"name" ${text} not null`, `"parentId" ${long} references "categories" ("id")`])
  await unique('categories', 'name')
  await sortable('categories', ['name', 'parentId'])

  await table('products', [
    id,
    `"sku" ${text} not null`,
    `"name" ${text} not null`,
    `"description" ${text}`,
    `"categoryId" ${long} references "categories" ("id")`,
    `"price" ${long} not null`,
    `"priceCurrency" ${text} not null`,
    `"stock" ${long} not null check ("stock" >= 0)`,
    '"discontinued" integer not null default 0',
  ])
  await unique('products', 'sku')
  await sortable('products', ['sku', 'name', 'categoryId', ['priceCurrency', 'price'], 'stock'])

  await table('customers', [
    `"id" ${long} primary key`,
    `"name" ${text} not null`,
    `"email" ${text} not null`,
    `"phone" ${text}`,
  ])
  await unique('customers', 'email', 'lower("email")')
  await sortable('customers', ['name', 'email'])
  // SOAP clients choose ids themselves: the table has every id that was ever used, which tells the
  // next one.
  await plainTable('customer_ids', [`"id" ${long} primary key`, '"brought" integer not null default 0'])
  await index('customer_ids', ['brought', 'id'])

  await table('users', [
    id,
    // Rows that come without a subject get one.
    `"subject" ${text} not null default ('user:' || ${randomHex})`,
    `"username" ${text} not null`,
    `"email" ${text} not null`,
    `"displayName" ${text}`,
    `"roles" ${text} not null`,
    `"customerId" ${long} references "customers" ("id")`,
    `"passwordHash" ${text} not null`,
    `"soapSecret" ${text}`,
  ])
  await unique('users', 'subject')
  await unique('users', 'username')
  await unique('users', 'email', 'lower("email")')
  await sortable('users', ['username', 'email', 'displayName', 'createdAt'])
  await index('users', ['customerId'])

  await table('reviews', [
    id,
    `"productId" ${long} not null references "products" ("id")`,
    `"userId" ${long} not null references "users" ("id")`,
    '"rating" integer not null',
    `"title" ${text}`,
    `"comment" ${text}`,
  ])
  await unique('reviews', 'userId', '"productId", "userId"')
  await sortable('reviews', ['rating', 'createdAt'])
  await index('reviews', ['productId', 'id'])
  await index('reviews', ['userId'])
}

/** Creates the tables of orders, payments and carts, of accounts and transfers. */
export async function createSales(schema: Schema): Promise<void> {
  const { table, plainTable, sortable, unique, index, id, long, text } = schema
  await table('orders', [
    id,
    `"customerId" ${long} not null references "customers" ("id")`,
    `"status" ${text} not null`,
    `"total" ${long} not null`,
    `"totalCurrency" ${text} not null`,
    `"currency" ${text}`,
    `"paidAt" ${text}`,
    `"shippedAt" ${text}`,
    `"deliveredAt" ${text}`,
    `"cancelledAt" ${text}`,
    `"cancelReason" ${text}`,
  ])
  await sortable('orders', ['customerId', 'status', ['totalCurrency', 'total'], 'createdAt', 'updatedAt'])

  await table('order_items', [
    id,
    `"orderId" ${long} not null references "orders" ("id") on delete cascade`,
    `"productId" ${long} not null references "products" ("id")`,
    '"quantity" integer not null check ("quantity" > 0)',
    `"unitPrice" ${long} not null`,
    `"unitPriceCurrency" ${text} not null`,
  ])
  await index('order_items', ['orderId', 'id'])
  await sortable('order_items', ['productId'])

  await table('payments', [
    id,
    `"orderId" ${long} not null references "orders" ("id")`,
    `"amount" ${long} not null`,
    `"amountCurrency" ${text} not null`,
    `"method" ${text} not null`,
    `"token" ${text}`,
    `"status" ${text} not null`,
  ])
  await sortable('payments', ['orderId', 'status', 'method', ['amountCurrency', 'amount'], 'createdAt'])
  // Of parallel payments of one order at most one can succeed.
  await unique('payments', 'orderId', `(case when "status" in ('PENDING', 'SUCCEEDED') then "orderId" end)`)

  await plainTable('carts', [
    `"userId" ${long} primary key references "users" ("id") on delete cascade`,
    `"currency" ${text}`,
    '"revision" integer not null default 1',
    `"updatedAt" ${text} not null`,
  ])
  await plainTable('cart_items', [
    `"userId" ${long} not null references "carts" ("userId") on delete cascade`,
    `"productId" ${long} not null references "products" ("id") on delete cascade`,
    '"quantity" integer not null check ("quantity" > 0)',
    'primary key ("userId", "productId")',
  ])

  await table('accounts', [
    id,
    `"userId" ${long} not null references "users" ("id")`,
    `"number" ${text} not null`,
    `"currency" ${text} not null`,
    `"balance" ${long} not null check ("balance" >= 0)`,
    `"balanceCurrency" ${text} not null`,
    `"status" ${text} not null`,
  ])
  await unique('accounts', 'number')
  await sortable('accounts', ['userId', 'currency', 'status', 'createdAt'])

  await table('transfers', [
    id,
    `"fromAccountId" ${long} not null references "accounts" ("id")`,
    `"toAccountId" ${long} not null references "accounts" ("id")`,
    `"amount" ${long} not null check ("amount" > 0)`,
    `"amountCurrency" ${text} not null`,
    `"reference" ${text}`,
    `"status" ${text} not null`,
  ])
  await sortable('transfers', ['fromAccountId', 'toAccountId', ['amountCurrency', 'amount'], 'status', 'createdAt'])
}
