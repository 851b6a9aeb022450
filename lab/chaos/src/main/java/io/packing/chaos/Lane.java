// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.client.ClientReply;
import io.packing.chaos.client.ClientReply.Outcome;
import io.packing.chaos.client.ClientRequest;
import io.packing.chaos.client.ClientRequest.Action;
import io.packing.chaos.client.DoorKind;
import io.packing.chaos.cluster.ClientThread;
import io.packing.chaos.model.Model;
import io.packing.chaos.model.ModelOperation;
import io.packing.chaos.model.Part;
import io.packing.chaos.model.SeededContent;
import io.packing.chaos.model.State;
import io.packing.chaos.model.State.Kind;
import io.packing.chaos.model.Violation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A client's thread that changes a tree of its own, one operation after the other. So the last acknowledged state is
 * the state that must be there. Confined to one thread at a time.
 */
final class Lane implements AutoCloseable {
    private static final Part.Kind[] PARTS = Part.Kind.values();
    private static final int MOST_PARTS = 5;
    private static final int MOST_SNAPSHOTS = 2;

    private final int number;
    private final String root;
    private final Stage stage;
    private final ClientThread caller;
    private final DoorKind door;
    private final SplittableRandom random;
    /** Names of snapshots that exist, oldest first. */
    private final Deque<String> snapshots = new ArrayDeque<>();

    private int names;

    Lane(int number, Stage stage, SplittableRandom random) {
        this.number = number;
        this.root = "/lane-" + number;
        this.stage = stage;
        this.caller = new ClientThread(
                stage.cluster().clients().get(number % stage.cluster().clients().size()), stage.journal()::note);
        this.door = number / 2 % 2 == 0 ? DoorKind.HADOOP : DoorKind.WORKER;
        this.random = random;
    }

    private SeededContent small() {
        return stage.plan().isDeduplicated() && random.nextBoolean() ? Sizes.common(random) : Sizes.small(random);
    }

    int number() {
        return number;
    }

    private Model model() {
        return stage.model();
    }

    /** Performs one operation, drawn at random, on paths whose states are certain. */
    void step() throws IOException, InterruptedException {
        stage.peace().readLock().lock();
        try {
            choose();
        } finally {
            stage.peace().readLock().unlock();
        }
        stage.counts().add("operations");
    }

    private void choose() throws IOException, InterruptedException {
        int drawn = drawn();
        Optional<String> file = any(Kind.FILE);
        Optional<String> directory = any(Kind.DIRECTORY);
        if (directory.isEmpty()) {
            mkdir(root + "/d" + names++);
        } else if (drawn < 28 || file.isEmpty()) {
            create(fresh(directory.get()), small(), true);
        } else if (drawn < 33) {
            create(fresh(directory.get()), Sizes.large(random), true);
        } else if (drawn < 48) {
            create(file.get(), random.nextInt(6) == 0 ? Sizes.large(random) : small(), true);
        } else if (drawn < 52) {
            create(fresh(directory.get()), small(), false);
        } else if (drawn < 55) {
            createWhereSomethingIs(file.get());
        } else if (drawn < 64) {
            delete(file.get(), false);
        } else if (drawn < 71) {
            String passing = fresh(directory.get());
            if (create(passing, small(), true)) {
                delete(passing, false);
            }
        } else if (drawn < 79) {
            rename(file.get(), fresh(directory.get()));
        } else if (drawn < 81) {
            mustBeRefused(ClientRequest.rename(door, file.get(), any(Kind.FILE).orElseThrow()), file.get());
        } else if (drawn < 84) {
            renameTree(directory.get());
        } else if (drawn < 86) {
            deleteTree(directory.get());
        } else if (drawn < 89) {
            mkdir(directory.get() + "/d" + names++);
        } else if (drawn < 92) {
            chmod(file.get());
        } else if (drawn < 95) {
            vector(directory.get());
        } else if (drawn < 97) {
            vector(List.of(new Part(Part.Kind.CLONE, file.get(), fresh(directory.get()))));
        } else if (drawn < 98) {
            snapshot();
        } else {
            read(file.get());
        }
    }

    /** Draws a number in the ranges of {@link #choose}. */
    private int drawn() {
        boolean any = random.nextInt(5) == 0;
        return switch (any
                ? PreferredOperation.ANY
                : Objects.requireNonNull(stage.mood().get())) {
            case ANY -> random.nextInt(100);
            case PASSING -> 64;
            case OVERWRITING -> 33;
        };
    }

    private String fresh(String directory) {
        return "%s/f%d".formatted(directory, names++);
    }

    /** Returns a random path of this lane with a certain state that may be changed. */
    private Optional<String> any(Kind kind) {
        Map<String, State> certain = model().certain(root);
        List<String> found = certain.entrySet().stream()
                .filter(entry -> entry.getValue().kind() == kind)
                .map(Map.Entry::getKey)
                .filter(model()::isTouchable)
                .toList();
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(random.nextInt(found.size())));
    }

    /** Applies a reply to the model; returns true if the operation was acknowledged. */
    private boolean answered(ModelOperation change, ClientReply reply) {
        if (reply.isDone()) {
            model().done(change);
        } else if (reply.outcome() == Outcome.UNKNOWN || reply.outcome() == Outcome.CORRUPT) {
            stage.counts().add("in_doubt");
            model().unknown(change);
        } else {
            // By the model, each operation should succeed; the next check reports the real state.
            stage.journal().note("refused: " + change);
            stage.counts().add("refused");
            model().refused(change);
        }
        return reply.isDone();
    }

    /** Draws a mode without write permission for group and others, which Hadoop's umask would remove. */
    private int mode() {
        return 0600 | (((random.nextInt(8) << 3) | random.nextInt(8)) & 055);
    }

    private boolean create(String path, SeededContent content, boolean overwrite)
            throws IOException, InterruptedException {
        int mode = mode();
        ModelOperation change = model().create(path, content, mode);
        return answered(change, caller.ask(ClientRequest.create(door, path, content, mode, overwrite)));
    }

    /** Creates exclusively at a path that has a file: the file must stay. */
    private void createWhereSomethingIs(String path) throws IOException, InterruptedException {
        SeededContent content = small();
        ModelOperation change = model().create(path, content, 0644);
        ClientReply reply = caller.ask(ClientRequest.create(door, path, content, 0644, false));
        if (reply.isDone()) {
            stage.journal().violation(new Violation(Violation.Kind.LOST, path, "an exclusive create replaced it"));
        }
        boolean done = answered(change, reply);
        stage.counts().add(done ? "exclusive_creates" : "refused_creates");
    }

    private void delete(String path, boolean recursive) throws IOException, InterruptedException {
        ModelOperation change = model().delete(path);
        answered(change, caller.ask(ClientRequest.simple(Action.DELETE, door, path, recursive)));
    }

    /** Deletes most of the files that the lane knows, for the garbage collection. */
    void deleteMost(int keepOneOf) throws IOException, InterruptedException {
        for (Map.Entry<String, State> each : model().certain(root).entrySet()) {
            if (each.getValue().isFile() && random.nextInt(keepOneOf) != 0 && model().isTouchable(each.getKey())) {
                delete(each.getKey(), false);
                stage.counts().add("operations");
            }
        }
    }

    private void rename(String from, String to) throws IOException, InterruptedException {
        ModelOperation change = model().rename(from, to);
        answered(change, caller.ask(ClientRequest.rename(door, from, to)));
    }

    private void renameTree(String directory) throws IOException, InterruptedException {
        if (model().isCertain(directory)) {
            rename(directory, root + "/r" + names++);
        } else {
            read(directory + "/nothing");
        }
    }

    private void deleteTree(String directory) throws IOException, InterruptedException {
        boolean empty = model().certain(directory).values().stream().allMatch(State.ABSENT::equals);
        if (model().isCertain(directory) && (empty || random.nextBoolean())) {
            delete(directory, true);
        } else if (!empty) {
            mustBeRefused(ClientRequest.simple(Action.DELETE, door, directory, false), directory);
        }
    }

    /** Sends an operation that must change nothing, with or without an answer. */
    private void mustBeRefused(ClientRequest request, String path) throws IOException, InterruptedException {
        if (!request.target().isEmpty() && request.target().equals(path)) {
            return;
        }
        ClientReply reply = caller.ask(request);
        if (reply.isDone()) {
            stage.journal()
                    .violation(new Violation(Violation.Kind.LOST, path, request + " succeeded, and must be refused"));
        }
    }

    private void mkdir(String path) throws IOException, InterruptedException {
        ModelOperation change = model().mkdir(path);
        answered(change, caller.ask(ClientRequest.simple(Action.MKDIR, door, path, false)));
    }

    /**
     * Moves, deletes and clones some files in one vector. A quarter of the vectors end with a part that cannot be done.
     */
    private void vector(String directory) throws IOException, InterruptedException {
        Set<String> files = new TreeSet<>();
        for (int i = random.nextInt(2, MOST_PARTS + 1); i > 0; i--) {
            any(Kind.FILE).ifPresent(files::add);
        }
        List<Part> parts = new ArrayList<>();
        for (String file : files) {
            Part.Kind kind = PARTS[random.nextInt(PARTS.length)];
            parts.add(new Part(kind, file, kind == Part.Kind.DELETE ? "" : fresh(directory)));
        }
        if (random.nextInt(4) == 0) {
            parts.add(new Part(Part.Kind.DELETE, fresh(directory), ""));
            mustBeRefused(ClientRequest.vector(parts), parts.get(0).path());
        } else {
            vector(parts);
        }
    }

    private void vector(List<Part> parts) throws IOException, InterruptedException {
        ModelOperation change = model().vector(parts);
        boolean done = answered(change, caller.ask(ClientRequest.vector(parts)));
        stage.counts().add(done ? "vectors" : "vectors_not_answered");
    }

    /** Takes a snapshot of the lane's tree; if two exist, drops the older one instead. */
    private void snapshot() throws IOException, InterruptedException {
        if (!model().isTouchable(root)) {
            return;
        }
        if (snapshots.size() == MOST_SNAPSHOTS) {
            String oldest = snapshots.remove();
            ModelOperation dropped = model().dropSnapshot(root, oldest);
            answered(dropped, caller.ask(ClientRequest.snapshot(Action.DROP_SNAPSHOT, root, oldest)));
            stage.counts().add("snapshots_dropped");
        } else {
            String name = "s" + names++;
            ModelOperation taken = model().takeSnapshot(root, name);
            if (answered(taken, caller.ask(ClientRequest.snapshot(Action.TAKE_SNAPSHOT, root, name)))) {
                snapshots.add(name);
                stage.counts().add("snapshots_taken");
            }
        }
    }

    private void chmod(String path) throws IOException, InterruptedException {
        int mode = mode();
        ModelOperation change = model().chmod(path, mode);
        answered(change, caller.ask(ClientRequest.chmod(door, path, mode)));
    }

    private void read(String path) throws IOException, InterruptedException {
        Reading.once(stage, caller, door, path, random);
    }

    @Override
    public void close() throws IOException {
        caller.close();
    }
}
