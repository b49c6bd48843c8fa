# Calls the shop with WS-Addressing and prints what came back, a JSON array on each line.
import json
import sys

import zeep
from zeep.wsa import WsAddressingPlugin


class Recorder(zeep.Plugin):
    def ingress(self, envelope, http_headers, operation):
        wsa = '{http://www.w3.org/2005/08/addressing}'
        self.reply = {element.tag[len(wsa):]: element.text for element in envelope.iter() if str(element.tag).startswith(wsa)}
        return envelope, http_headers

    def egress(self, envelope, http_headers, operation, binding_options):
        self.sent = envelope.find('.//{http://www.w3.org/2005/08/addressing}MessageID').text
        return envelope, http_headers


recorder = Recorder()
for port in ['ShopPort', 'ShopPortSoap11']:
    client = zeep.Client(sys.argv[1] + '?wsdl', port_name=port, plugins=[WsAddressingPlugin(), recorder])
    customer = client.service.getCustomer(customerId=7)
    print(json.dumps([f'{port} customer', int(customer.id)]))
    print(json.dumps([f'{port} relates', recorder.reply['RelatesTo'] == recorder.sent]))
    print(json.dumps([f'{port} action', recorder.reply['Action']]))
