// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Quota;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A client's view of a mount: every path of the present and of snapshots, with the bytes of each file. */
final class FoundTree {
    private static final int MOST = 1_000;

    /**
     * An entry at a path.
     *
     * @param bytes of a readable file
     * @param failure of an unreadable file
     */
    record Entry(FileStatus status, Optional<byte[]> bytes, String failure) {
        /** Returns whether its bytes are lost. A lost worker's empty file can be read, and is lost nevertheless. */
        boolean isLost() {
            return !isDirectory() && (bytes.isEmpty() || status.state() == FileStatus.State.LOST);
        }

        boolean isDirectory() {
            return status.isDirectory();
        }

        /** Returns a key that all names of one file share. */
        String fileKey() {
            return status.extras().links() > 1
                    ? "%d of clone %d".formatted(status.version().id(), status.cloneId())
                    : status.path().value();
        }

        @Override
        public String toString() {
            return "%s, %s%s"
                    .formatted(
                            status,
                            bytes.map(RollbackHistory::print).orElse(isDirectory() ? "" : "no bytes: "),
                            failure);
        }
    }

    private final Map<String, Entry> entries = new TreeMap<>();
    private final Map<String, Quota> quotas = new TreeMap<>();
    private final PackingFileSystem mount;

    private FoundTree(PackingFileSystem mount) {
        this.mount = mount;
    }

    static FoundTree of(PackingFileSystem mount) throws IOException {
        FoundTree tree = new FoundTree(mount);
        tree.quota("/");
        tree.walk(FilePath.ROOT, true);
        return tree;
    }

    Map<String, Entry> entries() {
        return entries;
    }

    /** Returns whether a path is as after a request; a file from a write that may be lost may have its length only. */
    boolean isAfter(String path, Optional<ModelFile> file, int lostFrom) {
        Entry entry = entries.get(path);
        if (entry == null || file.isEmpty()) {
            return entry == null && file.isEmpty();
        }
        return entry.isLost()
                ? file.get().hasWriteFrom(lostFrom)
                        && entry.status().attributes().length() == file.get().bytes().length
                : entry.bytes()
                        .filter(each -> Arrays.equals(each, file.get().bytes()))
                        .isPresent();
    }

    Set<String> quotas() {
        return quotas.keySet();
    }

    Optional<Quota> quotaOf(String directory) {
        return Optional.ofNullable(quotas.get(directory));
    }

    private Bdt bdt() {
        return mount.bdt();
    }

    private void quota(String directory) throws IOException {
        Optional<Quota> quota = bdt().quota(new FilePath(directory));
        if (quota.isPresent()) {
            quotas.put(directory, quota.get());
        }
    }

    private void walk(FilePath directory, boolean present) throws IOException {
        for (FileStatus each : bdt().list(directory, "", MOST).orElse(List.of())) {
            if (each.path().name().equals(".reserved")) {
                // The directory is the system's, and only snapshots show it.
                continue;
            }
            String path = each.path().value();
            if (each.isDirectory()) {
                entries.put(path, new Entry(each, Optional.empty(), ""));
                if (present) {
                    quota(path);
                }
                walk(each.path(), present);
            } else {
                entries.put(path, file(each));
            }
        }
        if (present) {
            for (FileStatus taken :
                    bdt().list(directory.child(FilePath.SNAPSHOTS), "", MOST).orElse(List.of())) {
                entries.put(taken.path().value(), new Entry(taken, Optional.empty(), ""));
                walk(taken.path(), false);
            }
        }
    }

    private Entry file(FileStatus status) {
        try (PackingInput in = mount.open(status.path())) {
            ByteBuffer all = ByteBuffer.allocate((int) in.attributes().length());
            while (all.hasRemaining() && in.read(all.position(), all) >= 0) {
                // The loop reads on.
            }
            return all.hasRemaining()
                    ? new Entry(status, Optional.empty(), "it ends %d bytes early".formatted(all.remaining()))
                    : new Entry(status, Optional.of(all.array()), "");
        } catch (IOException | RuntimeException e) {
            return new Entry(status, Optional.empty(), e.toString());
        }
    }
}
