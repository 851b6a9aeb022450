package io.packing.fuzz.calls;

import com.google.protobuf.Descriptors;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.packing.transport.ByteMarshaller;
import java.util.List;
import java.util.Objects;

/**
 * A method that can be called at a server, with any bytes for a message.
 *
 * @param channel to the server
 * @param method how gRPC calls it
 * @param input what its messages are
 * @param output what its answers are
 */
public record Rpc(
        Channel channel,
        MethodDescriptor<byte[], byte[]> method,
        Descriptors.Descriptor input,
        Descriptors.Descriptor output) {
    /** Every method of a service, as its descriptor has them: a new one needs no change here. */
    public static List<Rpc> of(ServiceDescriptor service, Channel channel) {
        return service.getMethods().stream().map(method -> of(method, channel)).toList();
    }

    private static Rpc of(MethodDescriptor<?, ?> method, Channel channel) {
        ProtoMethodDescriptorSupplier schema =
                (ProtoMethodDescriptorSupplier) Objects.requireNonNull(method.getSchemaDescriptor());
        return new Rpc(
                channel,
                MethodDescriptor.newBuilder(new ByteMarshaller(), new ByteMarshaller())
                        .setType(method.getType())
                        .setFullMethodName(method.getFullMethodName())
                        .build(),
                schema.getMethodDescriptor().getInputType(),
                schema.getMethodDescriptor().getOutputType());
    }

    /** Without its service. */
    public String name() {
        return Objects.requireNonNull(method.getBareMethodName());
    }
}
