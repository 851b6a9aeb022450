package io.packing.transport;

import java.time.Duration;

/**
 * How a client connects to a server.
 *
 * @param answerBytes what one message from the server may have
 * @param connect how long the server's machine may take to accept: one that is off does not even refuse
 * @param keepAlive after how long without a message the client asks whether the server is there; a server permits it from
 *     {@link RpcServer#PERMITTED_KEEP_ALIVE} on
 * @param keepAliveTimeout how long the server may take to say that it is; then the connection is given up
 */
public record ConnectionSettings(int answerBytes, Duration connect, Duration keepAlive, Duration keepAliveTimeout) {
    public ConnectionSettings {
        if (answerBytes <= 0 || connect.toMillis() <= 0 || keepAliveTimeout.toMillis() <= 0) {
            throw new IllegalArgumentException(
                    "bad connection settings: %d bytes, connect within %s, kept alive after %s within %s"
                            .formatted(answerBytes, connect, keepAlive, keepAliveTimeout));
        }
        if (keepAlive.compareTo(RpcServer.PERMITTED_KEEP_ALIVE) < 0) {
            throw new IllegalArgumentException("a client that asks every %s is thrown out: servers permit it every %s"
                    .formatted(keepAlive, RpcServer.PERMITTED_KEEP_ALIVE));
        }
    }
}
