// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import java.time.Duration;

/**
 * A client's settings of its connection to a server.
 *
 * @param answerBytes the largest message from the server
 * @param connect the time that the server's machine may take to accept; a machine that is off does not even refuse
 * @param keepAlive the time without a message after which the client pings the server; a server permits it from {@link
 *     RpcServer#PERMITTED_KEEP_ALIVE} on
 * @param keepAliveTimeout the time that the server may take to answer a ping; then the client gives the connection up
 */
public record ConnectionOptions(int answerBytes, Duration connect, Duration keepAlive, Duration keepAliveTimeout) {
    public ConnectionOptions {
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
