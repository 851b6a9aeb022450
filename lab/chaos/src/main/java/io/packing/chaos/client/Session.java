package io.packing.chaos.client;

import io.packing.bdt.FileStatus;
import io.packing.chaos.model.Content;
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

    Reply answer(Request request) {
        try {
            return request.action() == Request.Action.OPEN ? open(request) : answer(request, doors());
        } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
            return Outcomes.of(e);
        }
    }

    private synchronized Doors doors() throws IOException {
        return open.orElseThrow(() -> new IOException("no mount is open"));
    }

    private synchronized Reply open(Request request) throws IOException {
        Optional<Doors> before = open;
        open = Optional.empty();
        if (before.isPresent()) {
            before.get().hadoop.close();
            before.get().worker.close();
        }
        Map<String, String> options = new HashMap<>(request.options());
        String master = String.valueOf(options.remove(MASTER));
        open = Optional.of(new Doors(new HadoopDoor(master, options), new WorkerDoor(master, options, MASTER_TIMEOUT)));
        return Reply.done();
    }

    private static Reply answer(Request request, Doors doors) throws IOException {
        Door door = request.door() == DoorKind.HADOOP ? doors.hadoop : doors.worker;
        String path = request.path();
        switch (request.action()) {
            case CREATE -> {
                door.create(path, request.contents().get(0).bytes(), request.mode(), request.yes());
                return Reply.done();
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
                return Reply.listed(doors.worker.page(path));
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
                return Reply.listed(tree(door, path));
            }
            case WORKERS -> {
                return Reply.counted(doors.worker.workers());
            }
            case FLUSH -> doors.worker.flush();
            case SEAL -> doors.worker.seal();
            case CHECKPOINT -> doors.worker.checkpoint();
            case OPEN -> throw new IllegalStateException("opened elsewhere");
        }
        return Reply.done();
    }

    private static Reply verdict(boolean done) {
        return done ? Reply.done() : Reply.of(Reply.Outcome.REFUSED, "false");
    }

    private static Reply look(Optional<FileStatus> status) {
        if (status.isEmpty()) {
            return Reply.of(Reply.Outcome.ABSENT, "");
        }
        FileStatus found = status.get();
        Reply.Entry entry = WorkerDoor.entry(found);
        Reply.Outcome outcome = found.state() == FileStatus.State.LOST ? Reply.Outcome.LOST : Reply.Outcome.DONE;
        return new Reply(outcome, "", -1, found.attributes().mode(), List.of(entry), 0, "");
    }

    /** Lists a whole tree. */
    private static List<Reply.Entry> tree(Door door, String root) throws IOException {
        List<Reply.Entry> all = new ArrayList<>();
        Deque<String> left = new ArrayDeque<>(List.of(root));
        while (!left.isEmpty()) {
            for (Reply.Entry entry : door.list(left.remove())) {
                all.add(entry);
                if (entry.directory()) {
                    left.add(entry.path());
                }
            }
        }
        return all;
    }

    private static Reply matched(Request request, byte[] bytes) {
        StringBuilder differs = new StringBuilder("%d bytes".formatted(bytes.length));
        for (int i = 0; i < request.contents().size(); i++) {
            Content content = request.contents().get(i);
            int at = content.mismatch(bytes);
            if (at < 0) {
                return Reply.matched(i);
            }
            differs.append(", not #%x of %d from byte %d on".formatted(content.seed(), content.length(), at));
        }
        return Reply.unmatched(differs.toString(), bytes);
    }

    private static Reply matchedRange(Request request, byte[] bytes) {
        for (int i = 0; i < request.contents().size(); i++) {
            if (Arrays.equals(request.part(request.contents().get(i)), bytes)) {
                return Reply.matched(i);
            }
        }
        return Reply.unmatched(
                "%d bytes at %d equal no content that was written".formatted(bytes.length, request.offset()), bytes);
    }
}
