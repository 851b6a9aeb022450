// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.BdtUser;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.MountHomes;
import io.packing.bdt.OneByOne;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.OwnNames;
import io.packing.bdt.Placement;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.ReadableBytes;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** A namespace in a map: every file is buffered by one worker. */
final class InMemoryDirectory implements Bdt {
    static final String WORKER_ADDRESS = "node-1:4000";

    final Map<FilePath, FileStatus> entries = new TreeMap<>();
    final List<WorkerInfo> workers = new ArrayList<>();
    /** Directories that the real table refuses to delete. */
    final List<FilePath> withSnapshots = new ArrayList<>();

    int attributeChanges;
    private long ids;

    InMemoryDirectory() {
        put(FilePath.ROOT, new FileAttributes(0, 0, "", "", 0755), FileStatus.State.DIRECTORY);
    }

    FileStatus putFile(FilePath path, FileAttributes attributes) {
        return put(path, attributes, FileStatus.State.BUFFERED);
    }

    /** Changes a file as a push does: its state alone. */
    void pack(FilePath path) {
        FileStatus old = Objects.requireNonNull(entries.get(path));
        entries.put(path, new FileStatus(path, old.version(), old.attributes(), FileStatus.State.PACKED));
    }

    private FileStatus put(FilePath path, FileAttributes attributes, FileStatus.State state) {
        ids++;
        FileVersion version = new FileVersion(ids, state == FileStatus.State.DIRECTORY ? 0 : ids + 100);
        FileStatus status = new FileStatus(path, version, attributes, state);
        entries.put(path, status);
        return status;
    }

    @Override
    public synchronized Optional<FileStatus> stat(FilePath path) {
        return Optional.ofNullable(entries.get(path));
    }

    @Override
    public String encryptionKey() {
        return "";
    }

    @Override
    public MountHomes homes(boolean again) {
        return MountHomes.NONE;
    }

    @Override
    public Map<String, String> options() {
        return Map.of();
    }

    @Override
    public boolean withholdsPlaces() {
        return false;
    }

    @Override
    public Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException {
        return stat(path).map(there -> Map.of());
    }

    @Override
    public FileStatus nearest(FilePath path) throws IOException {
        return OneByOne.nearest(this, path);
    }

    @Override
    public OwnNames ownNames(FilePath clone, FilePath source, FilePath after, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<ListedPage> listLocated(FilePath directory, String startAfter, int limit) throws IOException {
        return OneByOne.listLocated(this, directory, startAfter, limit);
    }

    @Override
    public List<FoundEntry> find(List<FilePath> paths) throws IOException {
        return OneByOne.find(this, paths);
    }

    @Override
    public Optional<Quota> quota(FilePath directory) {
        throw new UnsupportedOperationException("no quotas in these tests");
    }

    @Override
    public Outcome setQuota(FilePath directory, QuotaChange change) {
        throw new UnsupportedOperationException("no quotas in these tests");
    }

    @Override
    public ScanPage scan(ScanPart part, String after) {
        throw new UnsupportedOperationException("no rows in these tests");
    }

    @Override
    public void checkpoint() {}

    @Override
    public void sealNow() {}

    @Override
    public FileStatus nearestToCreate(FilePath path) throws IOException {
        return nearest(path);
    }

    /** Users have no rights here. */
    @Override
    public boolean access(FilePath path, int rights) throws IOException {
        throw new DeniedException("a table without users");
    }

    @Override
    public Optional<ReadableBytes> readable(FilePath path, FileVersion version, String user, long offset)
            throws IOException {
        throw new DeniedException("a table without users");
    }

    @Override
    public Optional<LocatedFile> locate(FileVersion version, FilePath openedAs) {
        return locate(version);
    }

    @Override
    public Optional<List<FoundEntry>> findForUser(List<FilePath> paths, BdtUser user) throws IOException {
        return Optional.of(find(paths));
    }

    @Override
    public Optional<LocatedFile> locateForUsers(FileVersion version) {
        return locate(version);
    }

    @Override
    public synchronized Optional<LocatedFile> locate(FilePath path) {
        return stat(path)
                .filter(status -> !status.isDirectory())
                .map(status -> new LocatedFile(
                        status,
                        status.state() == FileStatus.State.BUFFERED
                                ? new Placement.Buffered("w1", WORKER_ADDRESS)
                                : new Placement.Packed(List.of())));
    }

    @Override
    public synchronized Optional<LocatedFile> locate(FileVersion version) {
        throw new UnsupportedOperationException("not asked by a front door");
    }

    @Override
    public synchronized Optional<List<FileStatus>> list(FilePath directory, String startAfter, int limit) {
        FileStatus self = entries.get(directory);
        if (self == null || !self.isDirectory()) {
            return Optional.empty();
        }
        Comparator<byte[]> order = Arrays::compareUnsigned;
        return Optional.of(entries.values().stream()
                .filter(s -> s.path().parent().filter(directory::equals).isPresent())
                .filter(s -> order.compare(utf8(s.path().name()), utf8(startAfter)) > 0)
                .sorted(Comparator.comparing(s -> utf8(s.path().name()), order))
                .limit(Math.min(limit, 7)) // small pages, so that paging is exercised
                .toList());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public synchronized Outcome mkdir(FilePath path, DirectoryAttributes attributes, boolean createParents) {
        if (entries.containsKey(path)) {
            return Outcome.EXISTS;
        }
        FilePath parent = path.parent().orElseThrow();
        FileStatus above = entries.get(parent);
        if (above == null) {
            if (!createParents) {
                return Outcome.NO_PARENT;
            }
            mkdir(parent, attributes, true);
        } else if (!above.isDirectory()) {
            return Outcome.NOT_A_DIRECTORY;
        }
        put(
                path,
                new FileAttributes(0, 1, attributes.owner(), attributes.group(), attributes.mode()),
                FileStatus.State.DIRECTORY);
        return Outcome.DONE;
    }

    @Override
    public synchronized Outcome delete(FilePath path, boolean recursive) {
        if (!entries.containsKey(path)) {
            return Outcome.NOT_FOUND;
        }
        if (path.isRoot()) {
            return Outcome.INVALID;
        }
        if (withSnapshots.stream().anyMatch(path::contains)) {
            throw new IllegalArgumentException(path + " has the snapshot s of it: drop it first");
        }
        boolean empty = entries.keySet().stream().noneMatch(p -> path.contains(p) && !p.equals(path));
        if (!empty && !recursive) {
            return Outcome.NOT_EMPTY;
        }
        entries.keySet().removeIf(path::contains);
        return Outcome.DONE;
    }

    @Override
    public synchronized Outcome rename(FilePath from, FilePath to) {
        if (!entries.containsKey(from)) {
            return Outcome.NOT_FOUND;
        }
        if (entries.containsKey(to)) {
            return Outcome.EXISTS;
        }
        if (!entries.containsKey(to.parent().orElseThrow())) {
            return Outcome.NO_PARENT;
        }
        for (FilePath path : entries.keySet().stream().filter(from::contains).toList()) {
            FilePath target = new FilePath(
                    to.value() + path.value().substring(from.value().length()));
            FileStatus status = Objects.requireNonNull(entries.remove(path));
            entries.put(target, new FileStatus(target, status.version(), status.attributes(), status.state()));
        }
        return Outcome.DONE;
    }

    @Override
    public synchronized Outcome setAttributes(FilePath path, AttributeChange change) {
        FileStatus old = entries.get(path);
        if (old == null) {
            return Outcome.NOT_FOUND;
        }
        attributeChanges++;
        FileAttributes a = old.attributes();
        FileAttributes changed = new FileAttributes(
                a.length(),
                change.mtimeMillis().orElse(a.mtimeMillis()),
                change.owner().orElse(a.owner()),
                change.group().orElse(a.group()),
                change.mode().orElse(a.mode()));
        entries.put(path, new FileStatus(path, old.version(), changed, old.state()));
        return Outcome.DONE;
    }

    @Override
    public VectorResult apply(OperationVector vector) {
        throw new UnsupportedOperationException("no vectors in these tests");
    }

    @Override
    public WorkerSession register(WorkerRegistration registration) {
        throw new UnsupportedOperationException("not asked by a front door");
    }

    @Override
    public List<WorkerInfo> workers() {
        return List.copyOf(workers);
    }

    @Override
    public BdtStatistics statistics() {
        return new BdtStatistics(entries.size(), 0, 0, 70, 1, 77, 0);
    }

    @Override
    public void close() {}
}
