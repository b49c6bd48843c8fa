<?php
// The market as a service of PHP's SoapServer, for `php -S`. MARKET_WSDL is the path of the contract.
class Market
{
    public string $token = 'none';

    public function Session(object $session): void
    {
        $this->token = $session->token;
    }

    public function find(object $input): array
    {
        global $server;
        $server->addSoapHeader(new SoapHeader('urn:corpus', 'Echo', $this->token));
        if ($input->sku !== 'A-1') {
            throw new SoapFault('Client', 'No such item.', null, ['sku' => $input->sku], 'NoSuch');
        }
        return [
            'id' => 9007199254740993,
            'item' => [['name' => 'Screw', 'price' => ['_' => '0.10', 'currency' => 'EUR']]],
            'note' => null,
            'mail' => 'a@example.com',
            'phone' => '1',
        ];
    }
}

$server = new SoapServer(getenv('MARKET_WSDL'), ['cache_wsdl' => WSDL_CACHE_NONE]);
$server->setObject(new Market());
$server->handle();
