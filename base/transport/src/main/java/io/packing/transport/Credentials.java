package io.packing.transport;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;

/** What the two ends of a connection show each other. Nothing as yet: connections are plain, and everybody is trusted. */
final class Credentials {
    private Credentials() {}

    static ChannelCredentials ofClient() {
        return InsecureChannelCredentials.create();
    }

    static ServerCredentials ofServer() {
        return InsecureServerCredentials.create();
    }
}
