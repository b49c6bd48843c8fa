"""Calls the shop with zeep over both ports and prints what came back, a JSON object on each line."""

import datetime
import decimal
import json
import sys

import zeep
from zeep.wsse.username import UsernameToken


def show(name, value):
    print(json.dumps([name, value], default=str))


def fault_of(call):
    try:
        call()
    except zeep.exceptions.Fault as fault:
        subcodes = [name.localname for name in fault.subcodes or []]
        return [fault.code.split(":")[1], subcodes, fault.message, fault.detail is not None]
    return None


def client(port, password="ada-demo", digest=False):
    wsse = UsernameToken("ada", password, use_digest=digest)
    return zeep.Client(sys.argv[1] + "?wsdl", service_name="ShopService", port_name=port, wsse=wsse)


for port in ("ShopPort", "ShopPortSoap11"):
    for digest in (False, True):
        customer = client(port, digest=digest).service.getCustomer(9007199254740993)
        show(port + " customer", [customer.id, customer.name, customer.email])
    shop = client(port)
    orders = shop.service.listOrders(limit=2)
    show(port + " orders", [[o.id, o.status, o.line[0].price["_value_1"], o.line[0].price.currency] for o in orders])
    show(port + " none", shop.service.listOrders(limit=0) or [])
    show(port + " note", shop.service.note("hello"))
    party = shop.get_type("{urn:test:common}Customer")(id=1, name="n", email="e")
    echoed = shop.service.echo(
        string=" a\tb\n<&>\u65e5\U0001f600", long=2**63 - 1, int=-5, unsignedByte=255,
        decimal=decimal.Decimal("0.10"), double=1e300, boolean=True,
        dateTime=datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=datetime.timezone.utc),
        base64=b"\x00\xff", nillable=zeep.xsd.Nil, list=["one"], party=party, right=7, flag=True,
    )
    show(port + " echo", [
        echoed.string, echoed.long, echoed.decimal, echoed.double, echoed.dateTime.isoformat(),
        list(echoed.base64), echoed.nillable, echoed.optional, echoed.list, echoed.party.name, echoed.right, echoed.flag,
    ])
    show(port + " wrong password", fault_of(lambda: client(port, "wrong").service.getCustomer(1)))
    show(port + " missing", fault_of(lambda: shop.service.getCustomer(404)))
