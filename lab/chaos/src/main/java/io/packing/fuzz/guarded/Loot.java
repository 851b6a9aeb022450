// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import io.packing.bdt.Bdt;
import io.packing.bdt.DeniedException;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.fuzz.battle.Finds;
import io.packing.worker.api.PackingInput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The loot of attackers: every file that they may read by now, their own ones included, is searched for secrets. For
 * one thread.
 */
final class Loot {
    private static final int MOST_ENTRIES = 100;
    private static final int MOST_LEVELS = 8;
    private static final int MOST_BYTES = 100_000;
    /** The set-user-ID bit of a mode. */
    private static final int SET_USER = 04000;
    /** The type bits of a mode; the next field has those of devices. */
    private static final int TYPE = 0170000;

    private static final Set<Integer> DEVICES = Set.of(0020000, 0060000);

    private final RemotePackingFileSystem attacker;
    private final Bdt root;
    private final Marks marks;
    private final List<FilePath> told;
    private final Finds finds;
    private final AtomicLong looked = new AtomicLong();

    Loot(GuardedHouse house, Marks marks, List<FilePath> told, Finds finds) throws IOException {
        this.attacker = house.mount(GuardedHouse.ATTACKER);
        this.root = house.mount(GuardedHouse.SUPERUSER).bdt();
        this.marks = marks;
        this.told = List.copyOf(told);
        this.finds = finds;
    }

    /** Counts the searched files. */
    long looked() {
        return looked.get();
    }

    /** Searches all reachable files once, then clears the attackers' directories. */
    void step() throws IOException {
        for (FilePath each : told) {
            try {
                Optional<FileStatus> there = attacker.bdt().stat(each);
                if (there.isPresent() && !there.get().isDirectory()) {
                    file(there.get());
                }
            } catch (DeniedException e) {
                // Most of them must be denied.
            }
        }
        walk(FilePath.ROOT, 0);
        for (FilePath each : List.of(HonestTree.ATTACKERS, HonestTree.BEARERS, HonestTree.SHARED)) {
            owners(each, 0);
            clear(each);
        }
    }

    private void walk(FilePath directory, int level) throws IOException {
        List<FileStatus> entries;
        try {
            entries = attacker.bdt().list(directory, "", MOST_ENTRIES).orElse(List.of());
        } catch (DeniedException e) {
            return;
        }
        for (FileStatus each : entries) {
            leaks(each.path() + " " + each.attributes(), "a listing of '%s'".formatted(directory));
            if (!each.isDirectory()) {
                file(each);
            } else if (level < MOST_LEVELS) {
                walk(each.path(), level + 1);
            }
        }
    }

    private void file(FileStatus there) throws IOException {
        looked.incrementAndGet();
        try {
            Map<String, ExtendedValue> extended =
                    attacker.bdt().extended(there.path()).orElse(Map.of());
            for (ExtendedValue value : extended.values()) {
                marks.in(value.bytes()).ifPresent(secret -> found(secret, "an attribute", there));
            }
            bytes(there.path()).flatMap(marks::in).ifPresent(secret -> found(secret, "the bytes", there));
        } catch (DeniedException e) {
            // The denial is right.
        }
    }

    private Optional<byte[]> bytes(FilePath path) throws IOException {
        try (PackingInput in = attacker.open(path)) {
            int length = (int) Math.min(MOST_BYTES, in.attributes().length());
            ByteBuffer bytes = ByteBuffer.allocate(length);
            while (bytes.hasRemaining() && in.read(bytes.position(), bytes) > 0) {
                // The loop reads on.
            }
            return Optional.of(Arrays.copyOf(bytes.array(), bytes.position()));
        } catch (DeniedException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            // The file vanished meanwhile, or its kind has no bytes.
            return Optional.empty();
        }
    }

    private void found(String secret, String where, FileStatus in) {
        finds.add(
                "attackers have the secret '%s' in %s of '%s'".formatted(secret, where, in.path()), -1, in.toString());
    }

    private void leaks(String text, String where) {
        marks.in(text.getBytes(StandardCharsets.UTF_8))
                .ifPresent(
                        secret -> finds.add("attackers have the secret '%s' in %s".formatted(secret, where), -1, text));
    }

    /** Searches, as a superuser, the attackers' files for privileges. */
    private void owners(FilePath directory, int level) throws IOException {
        for (FileStatus each : root.list(directory, "", MOST_ENTRIES).orElse(List.of())) {
            String owner = each.attributes().owner();
            int mode = each.attributes().mode();
            boolean others = !Set.of(GuardedHouse.ATTACKER, GuardedHouse.BEARER, GuardedHouse.OWNER)
                    .contains(owner);
            boolean privileged = (mode & SET_USER) != 0 && owner.equals(GuardedHouse.OWNER);
            if (others || privileged || DEVICES.contains(mode & TYPE)) {
                finds.add(
                        "attackers made '%s' of '%s' with mode '%o'".formatted(each.path(), owner, mode),
                        -1,
                        each.toString());
            }
            if (each.isDirectory() && level < MOST_LEVELS) {
                owners(each.path(), level + 1);
            }
        }
    }

    private void clear(FilePath directory) throws IOException {
        for (FileStatus each : root.list(directory, "", MOST_ENTRIES).orElse(List.of())) {
            Outcome unused = root.delete(each.path(), true);
        }
    }
}
