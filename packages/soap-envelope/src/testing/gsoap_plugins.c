// Calls the shop with gSOAP, addressed by the plugin wsa and signed by the plugin wsse, and prints what came back, a JSON
// array on each line. Arguments: the address, and the folder with client.key, client.pem and authority.pem.
#include "ShopBinding.nsmap"
#include "wsaapi.h"
#include "wsseapi.h"

#define WSU "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"

static const char *label;
static const char *address;
static const char *folder;

static void show(const char *name, const char *value) { printf("[\"%s %s\", \"%s\"]\n", label, name, value); }

static void expect_success(struct soap *soap, int error) {
  if (error == SOAP_OK) return;
  soap_print_fault(soap, stderr);
  exit(1);
}

static char *concatenate(struct soap *soap, const char *start, const char *end) {
  size_t size = strlen(start) + strlen(end) + 1;
  char *text = soap_malloc(soap, size);
  snprintf(text, size, "%s%s", start, end);
  return text;
}

static struct soap *create(soap_mode mode) {
  struct soap *soap = soap_new1(SOAP_XML_STRICT | mode);
  soap_set_namespaces(soap, namespaces);
  return soap;
}

static void destroy(struct soap *soap) {
  soap_end(soap);
  soap_free(soap);
}

static int get_customer(struct soap *soap, const char *path, struct _ns1__GetCustomerResponse *response) {
  struct _ns1__GetCustomerRequest request = {7};
  return soap_call___ns1__getCustomer(soap, concatenate(soap, address, path), "getCustomer", &request, response);
}

static void call_addressed(void) {
  struct soap *soap = create(0);
  struct _ns1__GetCustomerResponse response;
  soap_register_plugin(soap, soap_wsa);
  const char *id = soap_wsa_rand_uuid(soap);
  expect_success(soap, soap_wsa_request(soap, id, address, "getCustomer"));
  expect_success(soap, get_customer(soap, "/addressed", &response));
  expect_success(soap, soap_wsa_check(soap));
  show("MessageID", id);
  show("received", response.customer->name);
  show("RelatesTo", soap->header->wsa5__RelatesTo->__item);
  show("Action", soap->header->wsa5__Action);
  destroy(soap);
}

// Signs the Body, the Timestamp and the token, which is what has an id.
static void sign(struct soap *soap) {
  FILE *key_file = fopen(concatenate(soap, folder, "/client.key"), "r");
  EVP_PKEY *key = PEM_read_PrivateKey(key_file, NULL, NULL, NULL);
  expect_success(soap, soap_wsse_add_Timestamp(soap, "Time", 60));
  expect_success(soap, soap_wsse_add_BinarySecurityTokenPEM(soap, "Token", concatenate(soap, folder, "/client.pem")));
  expect_success(soap, soap_wsse_add_KeyInfo_SecurityTokenReferenceX509(soap, "#Token"));
  expect_success(soap, soap_wsse_sign_body(soap, SOAP_SMD_SIGN_RSA_SHA256, key, 0));
  fclose(key_file);
}

static void call_signed(const char *path) {
  struct soap *soap = create(SOAP_XML_CANONICAL);
  struct _ns1__GetCustomerResponse response;
  soap_register_plugin(soap, soap_wsse);
  char authority[4096];
  snprintf(authority, sizeof authority, "%s/authority.pem", folder);
  soap->cafile = authority;
  expect_success(soap, soap_wsse_verify_auto(soap, SOAP_SMD_NONE, NULL, 0));
  sign(soap);
  if (get_customer(soap, path, &response) != SOAP_OK) {
    show(path, soap_fault_string(soap));
  } else {
    expect_success(soap, soap_wsse_verify_Timestamp(soap));
    show(path, response.customer->name);
    show("Body", soap_wsse_verify_body(soap) == SOAP_OK ? "signed" : "not signed");
    show("Timestamp", soap_wsse_verify_element(soap, WSU, "Timestamp") == 1 ? "signed" : "not signed");
  }
  destroy(soap);
}

static void call_with(const char *version) {
  label = version;
  call_addressed();
  call_signed("/signed");
  call_signed("/altered");
  call_signed("/unknown");
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  address = argv[1];
  folder = argv[2];
  call_with("1.2");
  // The table of namespaces, which soapcpp2 wrote for SOAP 1.2, decides the version.
  namespaces[0].ns = "http://schemas.xmlsoap.org/soap/envelope/";
  namespaces[0].in = "http://www.w3.org/*/soap-envelope";
  namespaces[1].ns = "http://schemas.xmlsoap.org/soap/encoding/";
  namespaces[1].in = "http://www.w3.org/*/soap-encoding";
  call_with("1.1");
  return 0;
}
