// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.client.ClientReply;
import io.packing.chaos.client.ClientReply.Outcome;
import io.packing.chaos.client.ClientRequest;
import io.packing.chaos.client.ClientRequest.Action;
import io.packing.chaos.client.DoorKind;
import io.packing.chaos.cluster.ClientSide;
import io.packing.chaos.cluster.ClientThread;
import io.packing.chaos.model.Model;
import io.packing.chaos.model.Observation;
import io.packing.chaos.model.SeededContent;
import io.packing.chaos.model.State;
import io.packing.chaos.model.Violation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lists all directories and reads every file while all processes run and no client works. It reads through another
 * client than the one that wrote, and the model judges the result.
 */
final class Checker {
    private static final int TRIES = 100;
    private static final long PAUSE_MILLIS = 300;
    private static final int THREADS = 4;
    /** The mark in the name of an entry that a recovery moved aside, since its path was taken. */
    private static final String SET_ASIDE = ".recovered-";

    private final Stage stage;
    private final AtomicBoolean impatient = new AtomicBoolean();

    Checker(Stage stage) {
        this.stage = stage;
    }

    /** Looks at all paths, and reports violations. Paths in doubt stay in doubt. */
    void look() throws IOException, InterruptedException {
        Model model = stage.model();
        sights().forEach((path, sight) ->
                model.observe(path, model.moment(path), sight).ifPresent(stage.journal()::violation));
    }

    /** Looks at all paths, and makes their states certain. */
    void settle() throws IOException, InterruptedException {
        stage.model().settle(sights()).forEach(stage.journal()::violation);
    }

    /** Waits until every file that must exist exists. Missing files after that are reported by {@link #look}. */
    void awaitBuffered() throws IOException, InterruptedException {
        try (ClientThread caller = new ClientThread(stage.cluster().clients().get(0), stage.journal()::note)) {
            for (String path : stage.model().paths()) {
                Set<State> possible = stage.model().possible(path);
                boolean there = false;
                for (int i = 0; i < TRIES / 2 && !there && possible.stream().allMatch(State::isFile); i++) {
                    there = caller.ask(ClientRequest.simple(Action.LOOK, DoorKind.WORKER, path, false))
                            .isDone();
                    if (!there) {
                        Stage.pause(PAUSE_MILLIS);
                    }
                }
            }
        }
    }

    private Map<String, Observation> sights() throws IOException, InterruptedException {
        impatient.set(false);
        Map<String, ClientReply.Entry> listed = list();
        Set<String> paths = new HashSet<>(stage.model().paths());
        for (ClientReply.Entry entry : listed.values()) {
            if (!paths.contains(entry.path()) && !isSetAside(entry.path())) {
                stage.journal()
                        .violation(new Violation(
                                Violation.Kind.RETURNED, entry.path(), "it exists, and no client ever created it"));
            }
        }
        Map<String, Observation> sights = new ConcurrentHashMap<>();
        List<String> files = new ArrayList<>();
        for (String path : paths) {
            ClientReply.Entry entry = listed.get(path);
            if (entry != null && entry.directory()) {
                sights.put(path, Observation.DIRECTORY);
            } else if (entry == null && stage.model().possible(path).equals(Set.of(State.ABSENT))) {
                sights.put(path, Observation.ABSENT);
            } else {
                files.add(path);
            }
        }
        readAll(files, listed, sights);
        return sights;
    }

    private boolean isSetAside(String path) {
        return stage.plan().mayLoseTail() && path.contains(SET_ASIDE);
    }

    private Map<String, ClientReply.Entry> list() throws IOException, InterruptedException {
        DoorKind door = stage.counts().of("checks") % 2 == 0 ? DoorKind.HADOOP : DoorKind.WORKER;
        stage.counts().add("checks");
        try (ClientThread caller = new ClientThread(stage.cluster().clients().get(0), stage.journal()::note)) {
            Map<String, ClientReply.Entry> entries = new LinkedHashMap<>();
            list(caller, door, "/", entries);
            Set<String> owners = new TreeSet<>();
            for (String path : stage.model().paths()) {
                int at = path.indexOf(Model.SNAPSHOTS);
                if (at > 0) {
                    owners.add(path.substring(0, at));
                }
            }
            for (String owner : owners) {
                list(caller, door, owner + Model.SNAPSHOTS.substring(0, Model.SNAPSHOTS.length() - 1), entries);
            }
            return entries;
        }
    }

    private static void list(ClientThread caller, DoorKind door, String root, Map<String, ClientReply.Entry> entries)
            throws IOException, InterruptedException {
        ClientReply reply = ClientReply.unknown("");
        for (int i = 0; i < TRIES && !reply.isDone(); i++) {
            reply = caller.ask(ClientRequest.simple(Action.LIST, door, root, false));
            if (!reply.isDone()) {
                Stage.pause(PAUSE_MILLIS);
            }
        }
        if (!reply.isDone()) {
            throw new IOException("%s cannot be listed: %s".formatted(root, reply.text()));
        }
        reply.entries().forEach(entry -> entries.put(entry.path(), entry));
    }

    private void readAll(List<String> files, Map<String, ClientReply.Entry> listed, Map<String, Observation> sights)
            throws IOException, InterruptedException {
        List<ClientSide> clients = stage.cluster().clients();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> parts = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int part = i;
                List<String> mine = files.stream()
                        .filter(path ->
                                Math.floorMod(otherClient(path, clients.size()) + 2 * (path.hashCode() & 1), THREADS)
                                        == part)
                        .toList();
                DoorKind door = i < THREADS / 2 ? DoorKind.HADOOP : DoorKind.WORKER;
                parts.add(threads.submit(() -> {
                    try (ClientThread caller =
                            new ClientThread(clients.get(part % clients.size()), stage.journal()::note)) {
                        for (String path : mine) {
                            sights.put(path, read(caller, door, path, Optional.ofNullable(listed.get(path))));
                        }
                    }
                    return true;
                }));
            }
            for (Future<?> part : parts) {
                part.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("a check could not be made", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns a client other than the one that wrote the file; shared files have several writers. */
    private static int otherClient(String path, int clients) {
        String digits = path.startsWith("/lane-") ? path.substring(6).replaceFirst("/.*", "") : "0";
        return (Integer.parseInt(digits) + 1) % clients;
    }

    private Observation read(ClientThread caller, DoorKind door, String path, Optional<ClientReply.Entry> entry)
            throws IOException, InterruptedException {
        stage.counts().add("files_checked");
        Optional<Integer> mode = entry.map(ClientReply.Entry::mode);
        List<SeededContent> contents = stage.model().contents(path);
        ClientReply reply = ClientReply.unknown("");
        // After one file stays unreadable, the others get one attempt only.
        for (int i = 0; i < (impatient.get() ? 1 : TRIES); i++) {
            reply = caller.ask(ClientRequest.read(door, path, contents));
            Optional<Observation> sight = Reading.sight(reply, contents, mode);
            if (sight.isPresent()) {
                return sight.get();
            }
            ClientReply looked = caller.ask(ClientRequest.simple(Action.LOOK, door, path, false));
            if (looked.outcome() == Outcome.LOST) {
                return Observation.lost(reply.text());
            }
            Stage.pause(PAUSE_MILLIS);
        }
        impatient.set(true);
        return Observation.unreadable("cannot be read: " + reply.text());
    }
}
