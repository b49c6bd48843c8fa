<?php
// Calls both services with PHP's own client and prints what came back, a JSON array on each line.
[, $base] = $argv;

function show(string $name, mixed $value): void
{
    echo json_encode([$name, $value]), "\n";
}

function client(string $url, int $version, string $namespace): SoapClient
{
    $client = new SoapClient($url, ['soap_version' => $version, 'cache_wsdl' => WSDL_CACHE_NONE]);
    $credentials = new SoapVar(
        ['Username' => new SoapVar('ada', XSD_STRING, null, null, 'Username', $namespace),
         'Password' => new SoapVar('ada-demo', XSD_STRING, null, null, 'Password', $namespace)],
        SOAP_ENC_OBJECT, null, null, 'Authentication', $namespace
    );
    $client->__setSoapHeaders(new SoapHeader($namespace, 'Authentication', $credentials));
    return $client;
}

foreach ([SOAP_1_2, SOAP_1_1] as $version) {
    $name = "SOAP $version";
    $customers = client("$base/ws/customer?wsdl", $version, 'http://svc.example/ws/customer/v1');
    $customer = $customers->getCustomer(['customerId' => 1])->customer;
    show("$name customer", [$customer->id, $customer->name, $customer->email]);
    $id = 9007199254740993 + $version * 2;
    $new = ['id' => $id, 'name' => 'PHP <&>', 'email' => "php$version@example.com"];
    show("$name created", (string) $customers->createCustomer(['customer' => $new])->customerId);
    try {
        $customers->getCustomer(['customerId' => 404404]);
    } catch (SoapFault $fault) {
        show("$name missing", [$fault->detail->ServiceFault->status, $fault->detail->ServiceFault->message]);
    }
    $event = ['type' => 'php', 'timestamp' => '2026-01-02T03:04:05Z', 'source' => $name];
    show("$name event", $customers->logEvent(['event' => $event]));
    $prices = client("$base/ws/PriceService?wsdl", $version, 'http://svc.example/ws/price/v1');
    $price = $prices->GetPrice(['Item' => 'Laptop', 'Category' => 'Electronics']);
    show("$name price", [$price->Price->_, $price->Price->currency, $price->Availability]);
}
