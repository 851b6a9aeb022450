package io.packing.chaos;

import io.packing.chaos.client.Connection;
import io.packing.chaos.client.Reply;
import io.packing.chaos.client.Request;
import io.packing.chaos.cluster.ClientSide;
import java.io.IOException;
import java.util.Optional;

/** A thread of a client: asks one thing after the other, and goes on when the client was started again. */
final class Caller implements AutoCloseable {
    private static final int TRIES = 600;
    private static final long PAUSE_MILLIS = 100;

    private final ClientSide client;
    private final Stage stage;
    private Optional<Connection> connection = Optional.empty();

    Caller(ClientSide client, Stage stage) {
        this.client = client;
        this.stage = stage;
    }

    /** The answer, or that there is none: then it may have been done or not. */
    Reply ask(Request request) throws IOException, InterruptedException {
        Connection to = connected();
        Reply reply;
        try {
            reply = to.ask(request);
        } catch (IOException e) {
            drop();
            reply = Reply.unknown("no answer: " + e);
        }
        stage.journal()
                .note("%s: %s %s %s"
                        .formatted(
                                request, reply.outcome(), reply.match() >= 0 ? "#" + reply.match() : "", reply.text()));
        return reply;
    }

    private Connection connected() throws IOException, InterruptedException {
        for (int i = 0; connection.isEmpty(); i++) {
            try {
                connection = Optional.of(client.connect());
            } catch (IOException e) {
                if (i == TRIES) {
                    throw e;
                }
                Stage.pause(PAUSE_MILLIS);
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
