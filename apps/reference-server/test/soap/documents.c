// Calls the operations of version 2 with gSOAP and prints what came back, a JSON array on each line.
#include "CustomerBinding.nsmap"
#include "soapH.h"

static const char *endpoint;
static const char *label;
static struct _ns1__ClientContext client_context = {"gsoap", "gsoap-1"};

static void show(const char *name, const char *value) { printf("[\"%s %s\", \"%s\"]\n", label, name, value); }

static void show_bytes(const char *name, struct xsd__base64Binary bytes) {
  printf("[\"%s %s\", \"", label, name);
  for (int at = 0; at < bytes.__size; at++) printf("%02x", bytes.__ptr[at]);
  printf("\"]\n");
}

// gSOAP forgets credentials and header blocks after each call.
static struct soap *prepare(struct soap *soap) {
  soap->userid = "bob";
  soap->passwd = "bob-demo";
  soap->header = soap_new_SOAP_ENV__Header(soap, 1);
  soap->header->ns1__ClientContext = &client_context;
  return soap;
}

static void expect_success(struct soap *soap, int error) {
  if (error == SOAP_OK) return;
  soap_print_fault(soap, stderr);
  exit(1);
}

static struct SOAP_ENV__Detail *expect_fault(struct soap *soap, int error) {
  if (error == SOAP_OK) exit(1);
  struct SOAP_ENV__Fault *fault = soap->fault;
  return fault->SOAP_ENV__Detail ? fault->SOAP_ENV__Detail : fault->detail;
}

static void call_operations(struct soap *soap) {
  struct _ns1__GetOrderDocumentRequest request = {1};
  struct _ns1__GetOrderDocumentResponse response;
  expect_success(soap, soap_call___ns1__getOrderDocument(prepare(soap), endpoint, NULL, &request, &response));
  show("version", soap->version == 2 ? "SOAP 1.2" : "SOAP 1.1");
  show_bytes("document", response.document);
  // Only an attachment has a type of its own.
  show("type", response.document.type ? response.document.type : "Base64");
  show("receipt", soap->header->ns1__Receipt->requestId);

  struct _ns1__VerifyOrderDocumentRequest verify = {1, response.document};
  struct _ns1__VerifyOrderDocumentResponse verified;
  verify.document.id = NULL;
  verify.document.type = "application/pdf";
  expect_success(soap, soap_call___ns1__verifyOrderDocument(prepare(soap), endpoint, NULL, &verify, &verified));
  show("genuine", verified.isGenuine ? "true" : "false");

  request.orderId = 3;
  struct SOAP_ENV__Detail *detail =
      expect_fault(soap, soap_call___ns1__getOrderDocument(prepare(soap), endpoint, NULL, &request, &response));
  printf("[\"%s unpaid\", [%lld, \"%s\"]]\n", label, (long long)detail->ns1__DocumentNotAvailable->orderId,
         detail->ns1__DocumentNotAvailable->orderStatus);
  request.orderId = 404404;
  detail = expect_fault(soap, soap_call___ns1__getOrderDocument(prepare(soap), endpoint, NULL, &request, &response));
  printf("[\"%s missing\", %lld]\n", label, (long long)detail->ns1__OrderNotFound->orderId);
}

static void call_with(const char *name) {
  label = name;
  struct soap *soap = soap_new1(SOAP_XML_STRICT | SOAP_ENC_MTOM);
  soap_set_namespaces(soap, namespaces);
  call_operations(soap);
  soap_end(soap);
  soap_free(soap);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  endpoint = argv[1];
  call_with("SOAP 1.2");
  // The table of namespaces, which soapcpp2 wrote for SOAP 1.2, decides the version.
  namespaces[0].ns = "http://schemas.xmlsoap.org/soap/envelope/";
  namespaces[0].in = "http://www.w3.org/*/soap-envelope";
  namespaces[1].ns = "http://schemas.xmlsoap.org/soap/encoding/";
  namespaces[1].in = "http://www.w3.org/*/soap-encoding";
  call_with("SOAP 1.1");
  return 0;
}
