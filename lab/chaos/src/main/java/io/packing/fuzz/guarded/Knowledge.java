// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.rpc.AccessRequest;
import io.packing.bdt.rpc.LocateRequest;
import io.packing.bdt.rpc.RangeMessage;
import io.packing.bdt.rpc.Session;
import io.packing.bdt.rpc.Version;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.fuzz.calls.FieldValues;
import io.packing.worker.api.MountOptions;
import io.packing.worker.rpc.ReadRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The knowledge of attackers: paths, file ids, versions, contents, blobs, snapshots, sessions, workers. */
final class Knowledge {
    private static final int PAGE = 1_000;
    /** The number of draws per untrue word. */
    private static final int HOSTILE = 20;

    private final GuardedHouse house;
    private final HonestTree tree;
    private final String mount;
    private final Bdt root;
    private final Set<String> paths = new LinkedHashSet<>();
    private final Set<FileVersion> versions = new LinkedHashSet<>();
    private final Set<String> blobs = new LinkedHashSet<>();
    /** The checksums of closed files' extents, and those of open files. */
    private final Set<Integer> closedSums = new HashSet<>();

    private final Set<Integer> openSums = new HashSet<>();

    private Knowledge(GuardedHouse house, HonestTree tree) throws IOException {
        this.house = house;
        this.tree = tree;
        MountOptions options = house.options(GuardedHouse.SUPERUSER, house.mainStore());
        this.mount = house.bdts(GuardedHouse.SUPERUSER).terms().open(options.raw());
        this.root = house.mount(GuardedHouse.SUPERUSER).bdt();
    }

    /** Reads the tree of a house. */
    static Knowledge of(GuardedHouse house, HonestTree tree) throws IOException {
        Knowledge all = new Knowledge(house, tree);
        all.look(FilePath.ROOT, true);
        all.versions.addAll(tree.versions());
        return all;
    }

    private void look(FilePath directory, boolean open) throws IOException {
        paths.add(directory.value());
        for (FileStatus entry : root.list(directory, "", PAGE).orElse(List.of())) {
            boolean reached = open && !entry.path().equals(HonestTree.CLOSED);
            if (entry.isDirectory()) {
                look(entry.path(), reached);
            } else {
                paths.add(entry.path().value());
                boolean readable = reached && (entry.attributes().mode() & 04) != 0 && !isOfDoors(entry.path());
                root.locate(entry.path()).ifPresent(file -> note(file, readable ? openSums : closedSums));
            }
        }
        if (!directory.isPast()) {
            FilePath snapshots = directory.child(FilePath.SNAPSHOTS);
            for (FileStatus each : root.list(snapshots, "", PAGE).orElse(List.of())) {
                look(each.path(), open);
            }
        }
    }

    private static boolean isOfDoors(FilePath path) {
        return FilePath.RESERVED.contains(path);
    }

    private void note(LocatedFile file, Set<Integer> sums) {
        versions.add(file.status().version());
        if (file.placement() instanceof Placement.Packed packed) {
            packed.extents().forEach(extent -> {
                blobs.add(extent.blob().toString());
                Extent bytes = extent.extent();
                sums.add(bytes.crc32c());
            });
        } else if (file.placement() instanceof Placement.Mapped mapped) {
            mapped.pieces().forEach(piece -> note(piece.content(), sums));
        }
    }

    /** Returns checksums that only places of closed files have. */
    Set<Integer> sums() {
        Set<Integer> sums = new HashSet<>(closedSums);
        sums.removeAll(openSums);
        return sums;
    }

    private static <T> List<T> often(List<T> one, int times, List<T> other) {
        List<T> all = new ArrayList<>(other);
        for (int i = 0; i < times; i++) {
            all.addAll(one);
        }
        return all;
    }

    /** Returns words of calls, made of this knowledge. */
    FieldValues words(Optional<String> token) throws IOException {
        FieldValues words = new FieldValues(HonestTree.ATTACKERS.value(), HOSTILE);
        List<String> told = paths.stream().filter(tree::isTold).toList();
        List<String> own = List.of(
                "/mallory/a", "/mallory/b", "/mallory/d", "/mallory/d/c", "/mallet/a", "/mallet/d", "/tmp/a", "/tmp/d");
        words.put("path", often(own, Math.max(1, told.size() / 20), told));
        words.put("name", List.of("alice", "root", "mallory", "staff", "others", "", "monday", "told", "d", "p", "#0"));
        words.put("mount", List.of(mount));
        words.put(
                "peer mount",
                List.of(house.options(GuardedHouse.OWNER, house.mainStore()).mountName()));
        words.put("mode", List.of(0777L, 0644L, 06777L, 01777L));
        words.put("length", List.of(1L, 5L, 13L, 500L, 3_000L, 70_000L));
        words.put("zero", List.of(0L, 1L, 64L, 100L, 500L, 1_000L, 1_999L));
        words.put("id", versions.stream().map(FileVersion::id).toList());
        words.put("generation", versions.stream().map(FileVersion::generation).toList());
        words.put("blob", blobs.isEmpty() ? List.of("guard-1-1") : List.copyOf(blobs));
        words.put("option", List.of("packing.store", "packing.store", "packing.durability", "packing.gc.grace"));
        words.put(
                "setting", List.of(house.mainStore(), house.mainStore(), house.store("main/blobs"), "buffered", "0s"));
        token.ifPresent(text -> words.put("token", List.of(text)));
        sessions(words);
        wholes(words, told);
        return words;
    }

    private void sessions(FieldValues words) throws IOException {
        List<WorkerInfo> workers = root.workers();
        words.put("worker", workers.stream().map(WorkerInfo::worker).toList());
        words.put("address", workers.stream().map(WorkerInfo::address).toList());
        words.put("epoch", workers.stream().map(WorkerInfo::sessionEpoch).toList());
        words.putWhole(workers.stream()
                .map(worker -> Session.newBuilder()
                        .setMount(mount)
                        .setWorker(worker.worker())
                        .setEpoch(worker.sessionEpoch())
                        .build())
                .toList());
    }

    /** Adds whole messages, whose parts fit each other. */
    private void wholes(FieldValues words, List<String> told) throws IOException {
        List<Version> known = versions.stream().map(Knowledge::message).toList();
        words.putWhole(known);
        List<ReadRequest> reads = new ArrayList<>();
        List<LocateRequest> locates = new ArrayList<>();
        List<AccessRequest> accesses = new ArrayList<>();
        int i = 0;
        for (FileVersion version : versions) {
            for (int length : new int[] {1, 12, 100, 70_000}) {
                String path = told.get(i++ * 7 % told.size());
                reads.add(ReadRequest.newBuilder()
                        .setMount(house.options(GuardedHouse.OWNER, house.mainStore())
                                .mountName())
                        .setFileId(version.id())
                        .setGeneration(version.generation())
                        .setLength(length)
                        .setPath(path)
                        .build());
                locates.add(LocateRequest.newBuilder()
                        .setMount(mount)
                        .setVersion(message(version))
                        .setOpenedAs(path)
                        .build());
                accesses.add(AccessRequest.newBuilder()
                        .setMount(mount)
                        .setVersion(message(version))
                        .setPath(path)
                        .setUser(length == 12 ? GuardedHouse.OWNER : "")
                        .setByRange(true)
                        .build());
            }
        }
        words.putWhole(reads);
        words.putWhole(locates);
        words.putWhole(accesses);
        words.putWhole(told.stream()
                .map(path ->
                        RangeMessage.newBuilder().setPath(path).setLength(3_000).build())
                .toList());
    }

    private static Version message(FileVersion version) {
        return Version.newBuilder()
                .setId(version.id())
                .setGeneration(version.generation())
                .build();
    }

    /** Returns the paths that attackers know. */
    List<FilePath> told() {
        return paths.stream().filter(tree::isTold).map(FilePath::new).toList();
    }

    /** Returns the mount's name at the master. */
    String mount() {
        return mount;
    }

    /** Returns the options that a mount has for all its users. */
    static Map<String, String> options(GuardedHouse house, String mount) throws IOException {
        return house.bdts(GuardedHouse.SUPERUSER).terms().show(mount).options();
    }
}
