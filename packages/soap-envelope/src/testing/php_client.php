<?php
// Calls the shop with PHP's SoapClient in both versions and prints what came back, a JSON array on each line.
ini_set('soap.wsdl_cache_enabled', '0');

function show(string $name, mixed $value): void
{
    echo json_encode([$name, $value], JSON_UNESCAPED_UNICODE), "\n";
}

foreach (['1.1' => SOAP_1_1, '1.2' => SOAP_1_2] as $name => $version) {
    $options = ['soap_version' => $version, 'features' => SOAP_SINGLE_ELEMENT_ARRAYS];
    $shop = new SoapClient($argv[1] . '?wsdl', $options);
    $credentials = '<s:Authentication xmlns:s="urn:test:shop"><s:Username>ada</s:Username>'
        . '<s:Password>ada-demo</s:Password></s:Authentication>';
    $shop->__setSoapHeaders(new SoapHeader('urn:test:shop', 'Authentication', new SoapVar($credentials, XSD_ANYXML)));
    $customer = $shop->getCustomer(['customerId' => PHP_INT_MAX])->customer;
    show("$name customer", [(string) $customer->id, $customer->name, $customer->email]);
    show("$name orders", count($shop->listOrders(['limit' => 3])->order));
    show("$name note", $shop->note(['text' => 'hello']));
    try {
        $shop->getCustomer(['customerId' => 404]);
    } catch (SoapFault $fault) {
        $detail = $fault->detail->ServiceFault;
        $detail = $detail->enc_value ?? $detail;
        show("$name missing", [preg_replace('/^.*:/', '', $fault->faultcode), $fault->getMessage(), (int) $detail->status]);
    }
}
