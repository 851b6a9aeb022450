// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import io.packing.chaos.client.ClientConnection;
import io.packing.chaos.client.ClientReply;
import io.packing.chaos.client.ClientRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A client's thread: sends one request after the other, and connects again after a restart of the client. */
public final class ClientThread implements AutoCloseable {
    private static final int TRIES = 600;
    private static final long PAUSE_MILLIS = 100;

    private final ClientSide client;
    private final Consumer<String> journal;
    private Optional<ClientConnection> connection = Optional.empty();

    /** @param journal receives each request and its answer */
    public ClientThread(ClientSide client, Consumer<String> journal) {
        this.client = client;
        this.journal = journal;
    }

    /** Sends a request. Without an answer the outcome is unknown. */
    public ClientReply ask(ClientRequest request) throws IOException, InterruptedException {
        ClientConnection to = connected();
        ClientReply reply;
        try {
            reply = to.ask(request);
        } catch (IOException e) {
            drop();
            reply = ClientReply.unknown("no answer: " + e);
        }
        journal.accept("%s: %s %s %s"
                .formatted(request, reply.outcome(), reply.match() >= 0 ? "#" + reply.match() : "", reply.text()));
        return reply;
    }

    private ClientConnection connected() throws IOException, InterruptedException {
        for (int i = 0; connection.isEmpty(); i++) {
            try {
                connection = Optional.of(client.connect());
            } catch (IOException e) {
                if (i == TRIES) {
                    throw e;
                }
                if (new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("the latch was counted down", e);
                }
            }
        }
        return connection.get();
    }

    private void drop() throws IOException {
        if (connection.isPresent()) {
            connection.get().close();
            connection = Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        drop();
    }
}
