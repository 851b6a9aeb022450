// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.rpc.Attributes;
import io.packing.bdt.rpc.Session;
import io.packing.bdt.rpc.Version;
import io.packing.blob.FilePath;
import io.packing.fuzz.calls.FieldValues;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.rpc.ReadRequest;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A source of true values in the wild mount, and of files that hostile calls can name. For one thread. */
final class LiveValues {
    private static final CreateOptions NEW = new CreateOptions("wild", "wild", 0644, true, true);
    /** The number of ids that callers own: the keeper's ids are larger numbers. */
    private static final int EVIL_IDS = 100_000;

    private static final int EPOCHS_EVERY = 25;

    /** The directory that the callers' own workers report, so that a live worker may have a successor. */
    private static final String BUFFER = "evil-buffer";

    private final House house;
    private final FieldValues words;
    private final Bdt bdt;
    private final List<Long> ids = new ArrayList<>();
    /** The reads of files that are buffered now. */
    private final List<ReadRequest> reads = new ArrayList<>();

    private final String wildMount;
    private long round;

    /**
     * @param wildMount the wild mount's name at the master
     * @param goodMount the good mount's name at the master
     */
    LiveValues(House house, FieldValues words, String wildMount, String goodMount) throws IOException {
        this.house = house;
        this.words = words;
        this.bdt = house.wildMount.bdt();
        this.wildMount = wildMount;
        words.put("mount", List.of(wildMount, wildMount, wildMount, goodMount));
        words.putWhole(List.of(Attributes.newBuilder()
                .setLength(10)
                .setMtimeMillis(1)
                .setOwner("evil")
                .setMode(0644)
                .build()));
        words.put("peer mount", List.of(House.peerName(house.wildStore())));
        words.put("worker", List.of("evil", "evil", "evil", "evil", "evil", "evil-2", "wild-worker"));
        words.put("address", List.of("127.0.0.1:1", house.peerAddress));
        words.put(
                "option",
                List.of(
                        "packing.store",
                        "packing.store",
                        "packing.s3.endpoint",
                        "packing.durability",
                        "packing.backup.interval",
                        "packing.gc.grace",
                        "packing.master.timeout",
                        "packing.nosuch"));
        words.put(
                "setting",
                List.of(
                        house.wildStore(),
                        house.wildStore(),
                        house.goodStore(),
                        "file:///",
                        "s3://elsewhere/x",
                        "http://127.0.0.1:1",
                        "uploaded",
                        "-1s",
                        "1e99"));
        words.put("buffer", List.of(BUFFER, BUFFER, BUFFER, ""));
    }

    /** Leases ids for callers, before any worker has a file. */
    void takeIds() throws IOException {
        WorkerSession evil = bdt.register(evil("evil", 1));
        for (int i = 0; i < EVIL_IDS; i++) {
            long id = evil.newFileId();
            if (i % 1_000 < 3) {
                ids.add(id);
            }
        }
        evil.close();
        words.put("epoch", List.of(evil.sessionEpoch()));
    }

    /** Updates the true values. */
    void step() throws IOException {
        round++;
        for (int i = 0; i < 4; i++) {
            try (PackingOutput out =
                    house.wildMount.create(new FilePath("/wild/t%d/f%d".formatted(round % 20, i)), NEW)) {
                out.write(new byte[100 * i]);
            } catch (UnavailableException | FileSystemException e) {
                // A hostile caller replaced the directory by a file, as it should try.
                words.put("name", List.of("root", "f" + i, String.valueOf(e.getMessage())));
            }
        }
        Set<String> paths = new LinkedHashSet<>(List.of("/wild", "/wild/t1", "/wild/t1/f1"));
        List<Long> fileIds = new ArrayList<>(ids);
        List<Long> generations = new ArrayList<>(List.of(0L, 1L));
        Set<String> blobs = new LinkedHashSet<>(List.of("wild-worker-100-1", "evil-7-7", "keeper-1-1"));
        for (FileStatus entry : bdt.list(new FilePath("/wild"), "", 50).orElse(List.of())) {
            paths.add(entry.path().value());
            if (entry.state() == FileStatus.State.DIRECTORY && paths.size() < 100) {
                look(entry.path(), paths, fileIds, generations, blobs);
            }
        }
        words.put("path", new ArrayList<>(paths));
        words.put("id", fileIds);
        words.put("generation", generations);
        List<Version> versions = new ArrayList<>();
        // The first values are unclaimed ids and unused generations.
        for (int i = 0; i < fileIds.size() - ids.size(); i++) {
            versions.add(Version.newBuilder()
                    .setId(fileIds.get(ids.size() + i))
                    .setGeneration(generations.get(2 + i))
                    .build());
        }
        versions.add(Version.newBuilder().setId(ids.get(0)).build());
        words.putWhole(versions);
        if (!reads.isEmpty()) {
            words.putWhole(reads);
            reads.clear();
        }
        words.put("blob", new ArrayList<>(blobs));
        // This is rare, so that the epoch is still the latest when a call names it.
        if (round % EPOCHS_EVERY == 1) {
            epochs();
        }
    }

    private Session session(String worker, long epoch) {
        return Session.newBuilder()
                .setMount(wildMount)
                .setWorker(worker)
                .setEpoch(epoch)
                .build();
    }

    private static WorkerRegistration evil(String worker, int port) {
        return new WorkerRegistration(worker, "127.0.0.1:" + port, BUFFER, true);
    }

    /**
     * Returns the latest epoch of a worker. A hostile caller may hold the id with another directory until it counts as
     * dead.
     */
    private Optional<Long> latestEpoch(String worker, int port) throws IOException {
        try (WorkerSession session = bdt.register(evil(worker, port))) {
            return Optional.of(session.sessionEpoch());
        } catch (WorkerInUseException anotherHasIt) {
            return Optional.empty();
        }
    }

    private void epochs() throws IOException {
        List<Long> epochs = new ArrayList<>();
        latestEpoch("evil-2", 2).ifPresent(epochs::add);
        Optional<Long> evil = latestEpoch("evil", 1);
        for (int i = 0; i < 5; i++) {
            evil.ifPresent(epochs::add);
        }
        bdt.workers().stream()
                .filter(worker -> worker.worker().equals("wild-worker"))
                .map(WorkerInfo::sessionEpoch)
                .forEach(epochs::add);
        words.put("epoch", epochs);
        words.put("ticket", TicketFrames.ALL);
        // Some calls cancel the token.
        house.token("user-" + round).ifPresent(token -> words.put("token", List.of(token)));
        // No caller registers this worker, so the session stays its latest.
        List<Session> sessions = new ArrayList<>();
        Optional<Long> holder = latestEpoch("holder", 3);
        holder.ifPresent(epoch -> sessions.addAll(List.of(session("holder", epoch), session("holder", epoch))));
        evil.ifPresent(epoch -> sessions.add(session("evil", epoch)));
        if (!sessions.isEmpty()) {
            words.putWhole(sessions);
        }
    }

    private void look(FilePath in, Set<String> paths, List<Long> fileIds, List<Long> generations, Set<String> blobs)
            throws IOException {
        for (FileStatus file : bdt.list(in, "", 5).orElse(List.of())) {
            paths.add(file.path().value());
            fileIds.add(file.version().id());
            generations.add(file.version().generation());
            if (file.state() == FileStatus.State.BUFFERED) {
                reads.add(ReadRequest.newBuilder()
                        .setMount(House.peerName(house.wildStore()))
                        .setFileId(file.version().id())
                        .setGeneration(file.version().generation())
                        .setLength((int) file.attributes().length())
                        .build());
            }
            if (file.state() == FileStatus.State.PACKED) {
                bdt.locate(file.version()).map(LocatedFile::placement).ifPresent(place -> {
                    if (place instanceof Placement.Packed packed) {
                        packed.extents()
                                .forEach(extent -> blobs.add(extent.blob().toString()));
                    }
                });
            }
        }
    }

    /** Returns the wild mount's name at the master. */
    String wildMount() {
        return wildMount;
    }
}
