// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.cri;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.packing.transport.UnixSocketChannel;
import java.io.IOException;
import java.nio.file.Path;

/** A client of a container runtime that pulls images as kubelet does. Its one message is small enough to be written by hand. */
public final class CriClient implements AutoCloseable {
    private static final MethodDescriptor<Empty, Empty> PULL = MethodDescriptor.<Empty, Empty>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("runtime.v1.ImageService/PullImage")
            .setRequestMarshaller(ProtoUtils.marshaller(Empty.getDefaultInstance()))
            .setResponseMarshaller(ProtoUtils.marshaller(Empty.getDefaultInstance()))
            .build();

    private final UnixSocketChannel channel;

    private CriClient(UnixSocketChannel channel) {
        this.channel = channel;
    }

    /** Makes a client, which connects at its first call. */
    public static CriClient of(Path socket) throws IOException {
        return new CriClient(UnixSocketChannel.open(socket));
    }

    /**
     * Pulls an image, and returns when a container of it can be started.
     *
     * @throws IOException when the runtime refuses the pull
     */
    public void pull(String image) throws IOException {
        // PullImageRequest { ImageSpec image = 1 { string image = 1 } }
        UnknownFieldSet spec = message(ByteString.copyFromUtf8(image));
        Empty request = Empty.newBuilder()
                .setUnknownFields(message(spec.toByteString()))
                .build();
        try {
            Empty unused = ClientCalls.blockingUnaryCall(channel.channel(), PULL, CallOptions.DEFAULT, request);
        } catch (StatusRuntimeException e) {
            throw new IOException("%s is not pulled: %s".formatted(image, e.getMessage()), e);
        }
    }

    private static UnknownFieldSet message(ByteString first) {
        return UnknownFieldSet.newBuilder()
                .addField(
                        1,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(first)
                                .build())
                .build();
    }

    @Override
    public void close() {
        channel.close();
    }
}
