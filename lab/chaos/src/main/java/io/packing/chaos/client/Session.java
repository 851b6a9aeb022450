// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.client;

import io.packing.bdt.FileStatus;
import io.packing.chaos.model.SeededContent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The mount that a client has open through both doors, and the requests on it. Thread-safe. */
final class Session {
    /** The key of the master's address in a request's options; not an option of a mount. */
    static final String MASTER = "master";

    private static final Duration MASTER_TIMEOUT = Duration.ofSeconds(20);

    private record Doors(HadoopDoor hadoop, WorkerDoor worker) {}

    private Optional<Doors> open = Optional.empty();

    ClientReply answer(ClientRequest request) {
        try {
            return request.action() == ClientRequest.Action.OPEN ? open(request) : answer(request, doors());
        } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
            return Outcomes.of(e);
        }
    }

    private synchronized Doors doors() throws IOException {
        return open.orElseThrow(() -> new IOException("no mount is open"));
    }

    private synchronized ClientReply open(ClientRequest request) throws IOException {
        Optional<Doors> before = open;
        open = Optional.empty();
        if (before.isPresent()) {
            before.get().hadoop.close();
            before.get().worker.close();
        }
        Map<String, String> options = new HashMap<>(request.options());
        String master = String.valueOf(options.remove(MASTER));
        open = Optional.of(new Doors(new HadoopDoor(master, options), new WorkerDoor(master, options, MASTER_TIMEOUT)));
        return ClientReply.done();
    }

    private static ClientReply answer(ClientRequest request, Doors doors) throws IOException {
        Door door = request.door() == DoorKind.HADOOP ? doors.hadoop : doors.worker;
        String path = request.path();
        switch (request.action()) {
            case CREATE -> {
                door.create(path, request.contents().get(0).bytes(), request.mode(), request.yes());
                return ClientReply.done();
            }
            case DELETE -> {
                return verdict(door.delete(path, request.yes()));
            }
            case RENAME -> {
                return verdict(door.rename(path, request.target()));
            }
            case REPLACE -> {
                return doors.worker.replace(path, request.target());
            }
            case PAGE -> {
                return ClientReply.listed(doors.worker.page(path));
            }
            case MKDIR -> {
                return verdict(door.mkdir(path));
            }
            case CHMOD -> {
                return verdict(door.chmod(path, request.mode()));
            }
            case VECTOR -> {
                return doors.worker.vector(request.parts());
            }
            case TAKE_SNAPSHOT -> {
                return doors.worker.takeSnapshot(path, request.target());
            }
            case DROP_SNAPSHOT -> {
                return doors.worker.dropSnapshot(path, request.target());
            }
            case READ -> {
                return matched(request, door.read(path));
            }
            case READ_RANGE -> {
                return matchedRange(request, door.read(path, request.offset(), request.length()));
            }
            case LOOK -> {
                return look(doors.worker.look(path));
            }
            case LIST -> {
                return ClientReply.listed(tree(door, path));
            }
            case WORKERS -> {
                return ClientReply.counted(doors.worker.workers());
            }
            case FLUSH -> doors.worker.flush();
            case SEAL -> doors.worker.seal();
            case CHECKPOINT -> doors.worker.checkpoint();
            case OPEN -> throw new IllegalStateException("opened elsewhere");
        }
        return ClientReply.done();
    }

    private static ClientReply verdict(boolean done) {
        return done ? ClientReply.done() : ClientReply.of(ClientReply.Outcome.REFUSED, "false");
    }

    private static ClientReply look(Optional<FileStatus> status) {
        if (status.isEmpty()) {
            return ClientReply.of(ClientReply.Outcome.ABSENT, "");
        }
        FileStatus found = status.get();
        ClientReply.Entry entry = WorkerDoor.entry(found);
        ClientReply.Outcome outcome =
                found.state() == FileStatus.State.LOST ? ClientReply.Outcome.LOST : ClientReply.Outcome.DONE;
        return new ClientReply(outcome, "", -1, found.attributes().mode(), List.of(entry), 0, "");
    }

    /** Lists a whole tree. */
    private static List<ClientReply.Entry> tree(Door door, String root) throws IOException {
        List<ClientReply.Entry> all = new ArrayList<>();
        Deque<String> left = new ArrayDeque<>(List.of(root));
        while (!left.isEmpty()) {
            for (ClientReply.Entry entry : door.list(left.remove())) {
                all.add(entry);
                if (entry.directory()) {
                    left.add(entry.path());
                }
            }
        }
        return all;
    }

    private static ClientReply matched(ClientRequest request, byte[] bytes) {
        StringBuilder differs = new StringBuilder("%d bytes".formatted(bytes.length));
        for (int i = 0; i < request.contents().size(); i++) {
            SeededContent content = request.contents().get(i);
            int at = content.mismatch(bytes);
            if (at < 0) {
                return ClientReply.matched(i);
            }
            differs.append(", not #%x of %d from byte %d on".formatted(content.seed(), content.length(), at));
        }
        return ClientReply.unmatched(differs.toString(), bytes);
    }

    private static ClientReply matchedRange(ClientRequest request, byte[] bytes) {
        for (int i = 0; i < request.contents().size(); i++) {
            if (Arrays.equals(request.part(request.contents().get(i)), bytes)) {
                return ClientReply.matched(i);
            }
        }
        return ClientReply.unmatched(
                "%d bytes at %d equal no content that was written".formatted(bytes.length, request.offset()), bytes);
    }
}
