using System;
using System.IO;
using System.Linq;
using System.Runtime.Serialization;
using System.ServiceModel;
using System.ServiceModel.Channels;
using System.ServiceModel.Description;
using System.ServiceModel.Dispatcher;
using System.Text;
using System.Xml;

[DataContract(Namespace = DepotClient.Depot)]
public class Named {
  [DataMember] public string name;
}

[DataContract(Namespace = DepotClient.Depot)]
public class Full {
  [DataMember(Order = 0)] public string name;
  [DataMember(Order = 1)] public long bytesLeft;
}

[MessageContract(WrapperName = "Store", WrapperNamespace = DepotClient.Depot)]
public class Store {
  [MessageHeader(Namespace = DepotClient.Depot)] public Named Sender;
  [MessageBodyMember(Namespace = DepotClient.Depot, Order = 0)] public string name;
  [MessageBodyMember(Namespace = DepotClient.Depot, Order = 1)] public byte[] bytes;
}

[MessageContract(WrapperName = "Stored", WrapperNamespace = DepotClient.Depot)]
public class Stored {
  [MessageHeader(Namespace = DepotClient.Depot)] public Named Receipt;
  [MessageBodyMember(Namespace = DepotClient.Depot, Order = 0)] public string name;
  [MessageBodyMember(Namespace = DepotClient.Depot, Order = 1)] public byte[] bytes;
}

[ServiceContract(Namespace = DepotClient.Depot)]
public interface IDepot {
  [OperationContract(Action = "urn:store", ReplyAction = "*")]
  [FaultContract(typeof(Full), Name = "Full", Namespace = DepotClient.Depot)]
  Stored Store(Store request);
}

/// Sets the MessageID of requests, and prints how responses relate to them.
public class AddressingInspector : IEndpointBehavior, IClientMessageInspector {
  public object BeforeSendRequest(ref Message request, IClientChannel channel) {
    return request.Headers.MessageId = new UniqueId();
  }

  public void AfterReceiveReply(ref Message reply, object messageId) {
    DepotClient.Show("WS-Addressing RelatesTo", reply.Headers.RelatesTo == (UniqueId) messageId ? "request" : "other");
    DepotClient.Show("WS-Addressing Action", reply.Headers.Action);
  }

  public void ApplyClientBehavior(ServiceEndpoint endpoint, ClientRuntime runtime) {
    runtime.MessageInspectors.Add(this);
  }

  public void AddBindingParameters(ServiceEndpoint endpoint, BindingParameterCollection parameters) {}
  public void ApplyDispatchBehavior(ServiceEndpoint endpoint, EndpointDispatcher dispatcher) {}
  public void Validate(ServiceEndpoint endpoint) {}
}

/// Calls the depot with WCF and prints what came back, a JSON array on each line.
public static class DepotClient {
  public const string Depot = "urn:corpus";
  static readonly byte[] Bytes = Enumerable.Range(0, 5000).Select(index => (byte) index).ToArray();

  public static void Main(string[] args) {
    var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
    Console.SetOut(output);
    Call("SOAP 1.1", new BasicHttpBinding(), args[0]);
    Call("SOAP 1.2", CreateBinding(MessageVersion.Soap12), args[0]);
    Call("WS-Addressing", CreateBinding(MessageVersion.Soap12WSAddressing10), args[0], new AddressingInspector());
    output.Flush();
  }

  static Binding CreateBinding(MessageVersion version) {
    var encoding = new TextMessageEncodingBindingElement(version, Encoding.UTF8);
    return new CustomBinding(encoding, new HttpTransportBindingElement());
  }

  static void Call(string label, Binding binding, string url, params IEndpointBehavior[] behaviors) {
    var factory = new ChannelFactory<IDepot>(binding, new EndpointAddress(url));
    foreach (IEndpointBehavior behavior in behaviors) factory.Endpoint.Behaviors.Add(behavior);
    IDepot depot = factory.CreateChannel();
    Stored stored = depot.Store(CreateRequest("é <&> 日", Bytes));
    Show(label + " name", stored.name);
    Show(label + " bytes", stored.bytes.SequenceEqual(Bytes) ? "equal" : "different");
    Show(label + " receipt", stored.Receipt.name);
    try {
      depot.Store(CreateRequest("full", new byte[0]));
    } catch (FaultException<Full> fault) {
      Show(label + " fault", fault.Message);
      Show(label + " bytes left", fault.Detail.bytesLeft.ToString());
    }
  }

  static Store CreateRequest(string name, byte[] bytes) {
    return new Store { Sender = new Named { name = "wcf" }, name = name, bytes = bytes };
  }

  public static void Show(string name, string value) {
    Console.WriteLine("[\"{0}\", \"{1}\"]", name, value);
  }
}
