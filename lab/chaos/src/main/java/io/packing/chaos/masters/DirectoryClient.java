// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import io.packing.chaos.client.ClientReply;
import io.packing.chaos.client.ClientRequest;
import io.packing.chaos.client.DoorKind;
import io.packing.chaos.cluster.ClientThread;
import io.packing.chaos.model.SeededContent;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A client's thread that performs deeds in places, and records the answers. Confined to one thread. */
final class DirectoryClient implements AutoCloseable {
    /** The answer of a client process that has just started. */
    private static final String NOT_OPEN = "no mount is open";

    private static final long AFTER_NOTHING_MILLIS = 100;

    private final String name;
    private final int client;
    private final Ground ground;
    private final ClientThread caller;
    private long call;

    /** @param client index in the group */
    DirectoryClient(String name, int client, Ground ground) {
        this.name = name;
        this.client = client;
        this.ground = ground;
        this.caller = new ClientThread(ground.group().clients().get(client), unused -> {});
    }

    private ClientReply ask(ClientRequest request) throws IOException, InterruptedException {
        while (true) {
            call = ground.nanos().getAsLong();
            ClientReply reply = caller.ask(request);
            if (!reply.text().contains(NOT_OPEN)) {
                if (reply.outcome() == ClientReply.Outcome.UNKNOWN) {
                    // The pause limits the operations without an end, which make a history hard to check.
                    Sleep.millis(AFTER_NOTHING_MILLIS);
                }
                return reply;
            }
            Sleep.millis(AFTER_NOTHING_MILLIS);
        }
    }

    private void add(Place place, ClientOperation deed) {
        ground.history().add(place, name, deed, call, ground.nanos().getAsLong());
    }

    private ClientOperation.Told told(ClientReply reply) {
        return switch (reply.outcome()) {
            case DONE -> {
                ground.outages().acknowledged(client);
                yield ClientOperation.Told.DONE;
            }
            case EXISTS, ABSENT, REFUSED -> ClientOperation.Told.REFUSED;
            case LOST, CORRUPT, UNKNOWN -> ClientOperation.Told.NOTHING;
        };
    }

    void create(Place place, String file, boolean replacing) throws IOException, InterruptedException {
        SeededContent content = place.next();
        ClientReply reply = ask(ClientRequest.create(DoorKind.WORKER, place.path(file), content, 0644, replacing));
        add(place, new ClientOperation.Create(file, content.length(), replacing, told(reply)));
    }

    void delete(Place place, String file) throws IOException, InterruptedException {
        ClientReply reply =
                ask(ClientRequest.simple(ClientRequest.Action.DELETE, DoorKind.WORKER, place.path(file), false));
        add(place, new ClientOperation.Delete(file, told(reply)));
    }

    void move(Place place, String from, String to, boolean replacing) throws IOException, InterruptedException {
        ClientReply reply = ask(
                replacing
                        ? ClientRequest.replace(place.path(from), place.path(to))
                        : ClientRequest.rename(DoorKind.WORKER, place.path(from), place.path(to)));
        add(place, new ClientOperation.Move(from, to, replacing, told(reply)));
    }

    /** Looks at a file; returns whether the client got an answer. */
    boolean look(Place place, String file) throws IOException, InterruptedException {
        ClientReply reply =
                ask(ClientRequest.simple(ClientRequest.Action.LOOK, DoorKind.WORKER, place.path(file), false));
        if (reply.outcome() == ClientReply.Outcome.LOST) {
            ground.wrong().add("%s: its bytes are lost".formatted(place.path(file)));
        }
        if (reply.outcome() != ClientReply.Outcome.DONE && reply.outcome() != ClientReply.Outcome.ABSENT) {
            return false;
        }
        add(
                place,
                new ClientOperation.Look(
                        file,
                        reply.entries().stream()
                                .mapToLong(ClientReply.Entry::length)
                                .findFirst()));
        return true;
    }

    /** Reads a whole file; returns whether the client got an answer. */
    boolean read(Place place, String file) throws IOException, InterruptedException {
        ClientReply reply = ask(ClientRequest.read(DoorKind.WORKER, place.path(file), List.of()));
        OptionalLong version = OptionalLong.empty();
        switch (reply.outcome()) {
            case DONE -> {
                version = place.version(reply.digest());
                if (version.isEmpty()) {
                    ground.wrong().add("%s: no client wrote these bytes: %s".formatted(place.path(file), reply.text()));
                    return true;
                }
            }
            case ABSENT -> {}
            case LOST, CORRUPT -> {
                ground.wrong().add("%s: %s".formatted(place.path(file), reply.text()));
                return true;
            }
            default -> {
                return false;
            }
        }
        add(place, new ClientOperation.Look(file, version));
        return true;
    }

    /** Lists a place that has its directory for itself; returns whether the client got an answer. */
    boolean names(Place place) throws IOException, InterruptedException {
        ClientReply reply =
                ask(ClientRequest.simple(ClientRequest.Action.PAGE, DoorKind.WORKER, place.directory(), false));
        if (!reply.isDone()) {
            return false;
        }
        Map<String, Long> seen = new HashMap<>();
        reply.entries()
                .forEach(entry ->
                        seen.put(entry.path().substring(place.directory().length() + 1), entry.length()));
        add(place, new ClientOperation.Names(seen));
        return true;
    }

    void makeDirectory(String path) throws IOException, InterruptedException {
        ClientReply reply = ask(ClientRequest.simple(ClientRequest.Action.MKDIR, DoorKind.WORKER, path, false));
        if (!reply.isDone()) {
            throw new IOException("%s could not be made: %s %s".formatted(path, reply.outcome(), reply.text()));
        }
    }

    @Override
    public void close() throws IOException {
        caller.close();
    }
}
