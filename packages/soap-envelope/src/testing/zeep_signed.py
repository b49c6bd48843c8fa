"""Calls the shop with zeep, signed in the two ways that zeep has, and prints what came back."""

import json
import sys

import xmlsec
import zeep
from zeep.wsse.signature import BinarySignature, Signature
from zeep.wsse.utils import WSU
from zeep import ns
from datetime import datetime, timedelta, timezone

url, key, certificate, server = sys.argv[1:5]


def timestamp():
    now = datetime.now(timezone.utc)
    element = WSU.Timestamp()
    for name, time in (("Created", now), ("Expires", now + timedelta(minutes=5))):
        child = WSU(name)
        child.text = time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        element.append(child)
    return element


def signing(base):
    class WithTimestamp(base):
        """zeep signs a Timestamp that is there, and writes none; it verifies with the certificate of the server."""

        def apply(self, envelope, headers):
            from zeep.wsse.utils import get_security_header

            get_security_header(envelope).append(timestamp())
            return super().apply(envelope, headers)

        def verify(self, envelope):
            from zeep.wsse.signature import verify_envelope

            verify_envelope(envelope, server)
            print(json.dumps([self.label + " verified", True]))
            return envelope

    return WithTimestamp


for label, base in (("binary", BinarySignature), ("embedded", Signature)):
    for port in ("ShopPort", "ShopPortSoap11"):
        wsse = signing(base)(
            key, certificate, None, xmlsec.Transform.RSA_SHA256, xmlsec.Transform.SHA256
        )
        wsse.label = f"{label} {port}"
        client = zeep.Client(url + "?wsdl", service_name="ShopService", port_name=port, wsse=wsse)
        customer = client.service.getCustomer(7)
        print(json.dumps([wsse.label, [customer.id, customer.name]]))
