"""Does what the zeep column of docs/migrating.md says, and prints what came back, a JSON array on each line."""

import contextlib
import io
import json
import sys

import xmlsec
import zeep
from lxml import etree
from zeep.wsse.signature import BinarySignature
from zeep.wsse.username import UsernameToken
from zeep.wsse.utils import WSU, get_security_header, get_timestamp
from zeep.xsd import Nil

plain, password, signed, broken, key, certificate = sys.argv[1:]
NS = "{urn:corpus}"


def show(name, value):
    print(json.dumps([name, value], default=str))


def connect(url, **options):
    return zeep.Client(url + "?wsdl", service_name="Market", port_name="P12", **options)


class Recorder(zeep.Plugin):
    def egress(self, envelope, http_headers, operation, binding_options):
        show("egress", etree.tostring(envelope).decode())
        return envelope, http_headers

    def ingress(self, envelope, http_headers, operation):
        show("ingress", etree.tostring(envelope).decode())
        return envelope, http_headers


class TimedSignature(BinarySignature):
    def apply(self, envelope, headers):
        stamp = WSU.Timestamp(WSU.Created(get_timestamp()))
        get_security_header(envelope).append(stamp)
        return super().apply(envelope, headers)

    def verify(self, envelope):
        return envelope


client = connect(plain, plugins=[Recorder()])
found = client.service.find("A-1")
client.plugins.clear()
show("id", str(found.id))
show("name", found["item"][0]["name"])
show("price", [str(found["item"][0].price["_value_1"]), found["item"][0].price.currency])
show("note", found.note)
show("choices", zeep.helpers.serialize_object(found["_value_1"], dict))
show("message", etree.tostring(client.create_message(client.service, "find", "A-1")).decode())
block = client.get_element(NS + "Session")(token="t")
client.service.find("A-1", _soapheaders=[block])
client.service.find("A-1", Nil)
client.service.find("A-1", None)
try:
    client.service.find("B-2")
except zeep.exceptions.Fault as fault:
    show("fault", [fault.message, fault.detail[0].tag, fault.detail[0][0].text])
lenient = connect(broken, settings=zeep.Settings(strict=False))
show("lenient", lenient.service.find("A-1")["note"])
show("password", str(connect(password, wsse=UsernameToken("ada", "ada-demo", use_digest=True)).service.find("A-1").id))
algorithms = (xmlsec.Transform.RSA_SHA256, xmlsec.Transform.SHA256)
show("signed", str(connect(signed, wsse=TimedSignature(key, certificate, None, *algorithms)).service.find("A-1").id))
try:
    connect(signed, wsse=TimedSignature(key, certificate)).service.find("A-1")
except zeep.exceptions.Fault as fault:
    show("SHA-1", fault.message)
output = io.StringIO()
with contextlib.redirect_stdout(output):
    client.wsdl.dump()
show("dump", output.getvalue())
