"""Calls both services with zeep over both ports and prints what came back, a JSON array on each line."""

import json
import sys

import zeep
from zeep.wsse.username import UsernameToken

base = sys.argv[1]


def show(name, value):
    print(json.dumps([name, value], default=str))


def client(path, service, port, digest=False, password="ada-demo", version="v1"):
    wsse = UsernameToken("ada", password, use_digest=digest)
    return zeep.Client(base + path + "?wsdl=" + version, service_name=service, port_name=port, wsse=wsse)


def fault_of(call):
    try:
        call()
    except zeep.exceptions.Fault as fault:
        subcodes = [name.localname for name in fault.subcodes or []]
        return [fault.code.split(":")[1], subcodes, fault.detail is not None]
    return None


for at, suffix in enumerate(["", "Soap11"]):
    port = "CustomerPort" + suffix
    customers = client("/ws/customer", "CustomerService", port, digest=True)
    customer = customers.service.getCustomer(1)
    show(port + " customer", [customer.id, customer.name, customer.email])
    big = 9223372036854770000 + at
    new = {"id": big, "name": "Zeep <&> \u65e5", "email": "zeep%d@example.com" % at}
    show(port + " created", str(customers.service.createCustomer(new)))
    show(port + " big", str(customers.service.getCustomer(big).id))
    show(port + " conflict", fault_of(lambda: customers.service.createCustomer(new)))
    show(port + " missing", fault_of(lambda: customers.service.getCustomer(404404)))
    event = {"type": "zeep", "timestamp": "2026-01-02T03:04:05Z", "source": port}
    show(port + " event", customers.service.logEvent(event))
    show(port + " message", customers.service.sendNotification("from " + port))
    newer = client("/ws/customer", "CustomerService", port, version="v2")
    phoned = dict(new, id=big + 10, email="zeep%d@v2.example.com" % at, phone="+43 1 234")
    newer.service.createCustomer(phoned)
    show(port + " phone", newer.service.getCustomer(big + 10).phone)
    wrong = client("/ws/customer", "CustomerService", port, password="wrong")
    show(port + " wrong password", fault_of(lambda: wrong.service.getCustomer(1)))
    prices = client("/ws/PriceService", "PriceService", "PricePort" + suffix)
    price = prices.service.GetPrice(Item="Laptop", Category="Electronics")
    show(port + " price", [str(price.Price["_value_1"]), price.Price.currency, price.Availability])
