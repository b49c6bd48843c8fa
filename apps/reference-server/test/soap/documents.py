"""Calls the operations of version 2 with zeep over both ports and prints what came back, a JSON array on each line."""

import hashlib
import json
import sys

import requests
import zeep
from zeep.transports import Transport
from zeep.wsse.username import UsernameToken

base = sys.argv[1]
types = []
context = {"clientContext": {"application": "zeep", "requestId": "zeep-1"}}


def show(name, value):
    print(json.dumps([name, value], default=str))


def client(path, service, port, accept):
    session = requests.Session()
    session.headers["Accept"] = accept
    session.hooks["response"] = lambda response, **_: types.append(response.headers.get("Content-Type", ""))
    wsse = UsernameToken("bob", "bob-demo", use_digest=True)
    url = base + path + "?wsdl=v2"
    return zeep.Client(url, service_name=service, port_name=port, wsse=wsse, transport=Transport(session=session))


def fault_of(caller, call):
    try:
        call()
    except zeep.exceptions.Fault as fault:
        detail = fault.detail[0]
        value = zeep.helpers.serialize_object(caller.wsdl.types.deserialize(detail), dict)
        return [detail.tag.split("}")[1], value]
    return None


for suffix in ["", "Soap11"]:
    for accept in ["multipart/related, */*", "*/*"]:
        port = "CustomerPort" + suffix
        name = port + (" MTOM" if accept != "*/*" else "")
        customers = client("/ws/customer", "CustomerService", port, accept)
        reply = customers.service.getOrderDocument(1, _soapheaders=context)
        show(name + " type", "attachment" if types[-1].startswith("multipart/related") else "Base64")
        body, receipt = reply.body, reply.header.receipt
        # zeep strips line breaks from the ends of an attachment, and a PDF file ends with one.
        document = body.document if accept == "*/*" else body.document + b"\n"
        show(name + " document", [body.fileName, body.mediaType, hashlib.sha256(document).hexdigest()])
        show(name + " receipt", [receipt.requestId, receipt.sha256.lower()])
        genuine = customers.service.verifyOrderDocument(1, document, _soapheaders=context)
        show(name + " genuine", genuine.body.isGenuine if hasattr(genuine.body, "isGenuine") else genuine.body)
        missing = lambda: customers.service.getOrderDocument(404404, _soapheaders=context)
        show(name + " missing", fault_of(customers, missing))
        unpaid = lambda: customers.service.getOrderDocument(3, _soapheaders=context)
        show(name + " unpaid", fault_of(customers, unpaid))
    prices = client("/ws/PriceService", "PriceService", "PricePort" + suffix, "*/*")
    quote = lambda quantity: prices.service.GetQuote("Laptop", "Electronics", quantity, _soapheaders=context)
    reply = quote(2)
    show(port + " quote", [str(reply.body.Total["_value_1"]), reply.body.Total.currency, reply.header.validity.requestId])
    show(port + " stock", fault_of(prices, lambda: quote(1000))[0])
