<?php
// Calls the operations of version 2 with PHP's own client and prints what came back, a JSON array on each line.
[, $base] = $argv;
const CUSTOMERS = 'http://svc.example/ws/customer/v2';

function show(string $name, mixed $value): void
{
    echo json_encode([$name, $value]), "\n";
}

function block(string $name, array $values): SoapHeader
{
    $parts = [];
    foreach ($values as $key => $value) $parts[] = new SoapVar($value, XSD_STRING, null, null, $key, CUSTOMERS);
    return new SoapHeader(CUSTOMERS, $name, new SoapVar($parts, SOAP_ENC_OBJECT, null, null, $name, CUSTOMERS));
}

foreach (['SOAP 1.2' => SOAP_1_2, 'SOAP 1.1' => SOAP_1_1] as $name => $version) {
    $client = new SoapClient("$base/ws/customer?wsdl=v2", ['soap_version' => $version, 'cache_wsdl' => WSDL_CACHE_NONE]);
    $context = block('ClientContext', ['application' => 'php', 'requestId' => 'php-1']);
    $client->__setSoapHeaders([block('Authentication', ['Username' => 'bob', 'Password' => 'bob-demo']), $context]);
    $reply = $client->__soapCall('getOrderDocument', [['orderId' => 1]], null, null, $headers);
    show("$name document", [$reply->fileName, $reply->mediaType, hash('sha256', $reply->document)]);
    show("$name receipt", [$headers['Receipt']->requestId, bin2hex($headers['Receipt']->sha256)]);
    show("$name genuine", $client->verifyOrderDocument(['orderId' => 1, 'document' => $reply->document])->isGenuine);
    try {
        $client->getOrderDocument(['orderId' => 3]);
    } catch (SoapFault $fault) {
        $declared = $fault->detail->DocumentNotAvailable;
        show("$name unpaid", [(int) $declared->orderId, $declared->orderStatus]);
    }
}
