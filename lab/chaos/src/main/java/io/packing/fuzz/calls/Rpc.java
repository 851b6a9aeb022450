// SPDX-License-Identifier: Apache-2.0
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
 * A method of a server that takes any bytes as a message.
 *
 * @param channel to the server
 * @param method gRPC's description of it
 * @param input type of its messages
 * @param output type of its answers
 */
public record Rpc(
        Channel channel,
        MethodDescriptor<byte[], byte[]> method,
        Descriptors.Descriptor input,
        Descriptors.Descriptor output) {
    /** Returns every method of a service by its descriptor, so that new methods are included. */
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

    /** Returns the name without its service. */
    public String name() {
        return Objects.requireNonNull(method.getBareMethodName());
    }
}
