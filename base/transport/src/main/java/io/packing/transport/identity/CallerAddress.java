package io.packing.transport.identity;

import io.grpc.Grpc;
import io.grpc.ServerCall;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** From where a call comes. */
public final class CallerAddress {
    private CallerAddress() {}

    /** The address of the machine at the other end, as HDFS writes it: {@code /10.0.0.1}. */
    public static String of(ServerCall<?, ?> call) {
        SocketAddress from = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        return from instanceof InetSocketAddress at && at.getAddress() != null
                ? "/" + at.getAddress().getHostAddress()
                : String.valueOf(from);
    }
}
