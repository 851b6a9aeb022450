// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.FileStatus;
import io.packing.bdt.NumberedExtent;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScanProblem;
import io.packing.bdt.ScannedBlob;
import io.packing.bdt.ScannedFile;
import io.packing.bdt.ScannedName;
import io.packing.bdt.ScannedQuota;
import io.packing.bdt.ScannedSnapshot;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.LoneVersion;
import io.packing.bdt.master.table.row.MapRows;
import io.packing.bdt.master.table.row.QuotaRow;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.Referrer;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.bdt.master.table.row.Unread;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One page of a table's rows of one kind, with their contradictions. A row that seems wrong is read again before it is
 * reported: it may just have changed. Confined to one thread, and used once.
 */
public final class TableScan {
    private static final int MOST_ROWS = 2_000;
    /** A file of 4 TB has a million. */
    private static final int MOST_EXTENTS = 10_000;

    private final Rows rows;
    private final Namespace namespace;
    private final CollectionTimes times;
    private final ScanChecks checks;
    private final List<ScannedBlob> blobs = new ArrayList<>();
    private final List<ScannedFile> files = new ArrayList<>();
    private final List<ScannedSnapshot> snapshots = new ArrayList<>();
    private final List<ScannedName> names = new ArrayList<>();
    private final List<ScannedQuota> quotas = new ArrayList<>();
    private final List<ScanProblem> problems = new ArrayList<>();
    private final List<Unread> unread;
    private final Set<Long> undated;
    private int visited;
    private int extents;
    private byte[] last = new byte[0];

    /**
     * Makes a scan.
     *
     * @param undated generations that do not tell when files were claimed
     */
    public TableScan(Rows rows, Namespace namespace, CollectionTimes times, List<Long> undated) throws IOException {
        this.unread = Unread.load(rows);
        this.undated = new TreeSet<>(unread.isEmpty() ? List.of() : undated);
        this.rows = rows;
        this.namespace = namespace;
        this.times = times;
        this.checks = new ScanChecks(rows, namespace);
    }

    /**
     * Returns a page of the rows of one kind.
     *
     * @param after the end of the page before; empty: the first page
     */
    public ScanPage page(ScanPart part, String after) throws IOException {
        byte kind = kind(part);
        byte[] end = after.getBytes(StandardCharsets.ISO_8859_1);
        if (end.length > 0 && end[0] != kind) {
            throw new IllegalArgumentException("no page of %s ends there".formatted(part));
        }
        byte[] from = end.length == 0 ? Keys.kind(kind) : Keys.after(end);
        boolean[] more = new boolean[1];
        boolean isFirst = part == ScanPart.BLOBS && after.isEmpty();
        if (isFirst) {
            unread.forEach(each -> problems.add(new ScanProblem("unread", "", each.toString(), each.until())));
        }
        // Each quota is a walk.
        int most = part == ScanPart.QUOTAS ? 1 : MOST_ROWS;
        rows.scan(from, Keys.kindEnd(kind), (key, value) -> {
            if (!Keys.isFence(key)) {
                visit(part, key, value);
            }
            last = key;
            more[0] = ++visited == most || extents >= MOST_EXTENTS;
            return !more[0];
        });
        return new ScanPage(
                blobs,
                files,
                snapshots,
                names,
                quotas,
                problems,
                isFirst ? List.copyOf(undated) : List.of(),
                more[0] ? new String(last, StandardCharsets.ISO_8859_1) : "");
    }

    private static byte kind(ScanPart part) {
        return switch (part) {
            case BLOBS -> Keys.BLOB;
            case FILES -> Keys.ENTRY;
            case CONTENTS -> Keys.CONTENT;
            case PAST -> Keys.PAST;
            case SNAPSHOTS -> Keys.SNAPSHOT;
            case QUOTAS -> Keys.QUOTA;
        };
    }

    private void visit(ScanPart part, byte[] key, byte[] value) throws IOException {
        Optional<ScanProblem> wrong = look(part, key, value, false);
        if (wrong.isEmpty()) {
            return;
        }
        Optional<byte[]> again = rows.get(key);
        if (again.isPresent()) {
            look(part, key, again.get(), true).ifPresent(problems::add);
        }
    }

    /** @param evenIfWrong whether a row that contradicts itself is told of as far as it can be read */
    private Optional<ScanProblem> look(ScanPart part, byte[] key, byte[] value, boolean evenIfWrong)
            throws IOException {
        try {
            return switch (part) {
                case BLOBS -> blob(key, value, evenIfWrong);
                case FILES -> file(key, value, evenIfWrong);
                case CONTENTS -> content(key, value, evenIfWrong);
                case PAST -> past(key, value, evenIfWrong);
                case SNAPSHOTS -> snapshot(key, value);
                case QUOTAS -> quota(Keys.number(key), QuotaRow.decode(value), evenIfWrong);
            };
        } catch (Bytes.MalformedException | IllegalArgumentException e) {
            String path = part == ScanPart.FILES ? checks.path(key) : "";
            return Optional.of(new ScanProblem("row", path, "a row of the table cannot be read: " + e.getMessage()));
        }
    }

    private Optional<ScanProblem> blob(byte[] key, byte[] value, boolean evenIfWrong) throws IOException {
        long number = Keys.number(key);
        BlobRow blob = BlobRow.decode(value);
        Optional<ScanProblem> wrong = checks.blob(number, blob);
        if (wrong.isEmpty() || evenIfWrong) {
            Optional<Long> deadFrom = rows.get(Keys.numbered(Keys.DEAD, number)).map(row -> new Bytes.In(row).number());
            Optional<Duration> graceLeft = deadFrom.map(times::graceLeft);
            blobs.add(new ScannedBlob(
                    number,
                    blob.name(),
                    blob.total(),
                    blob.live(),
                    blob.settled(),
                    graceLeft,
                    deadFrom.map(times::isBackedUp).orElse(false)));
        }
        return wrong;
    }

    private Optional<ScanProblem> file(byte[] key, byte[] value, boolean evenIfWrong) throws IOException {
        Inode inode = Inode.decode(value);
        String name = Keys.entryName(key);
        ScanChecks.Parent parent = checks.parent(Keys.number(key));
        Optional<ScanProblem> wrong = checks.entry(parent, name, inode);
        if (inode.place() instanceof Inode.Linked linked) {
            if (wrong.isEmpty() || evenIfWrong) {
                int stands = Math.max(1, inode.extras().links());
                names.add(new ScannedName(parent.path(), name, linked.file(), stands));
            }
            return wrong;
        }
        if (!inode.isDirectory() && (wrong.isEmpty() || evenIfWrong)) {
            // What is in a directory that is being removed has bytes as long as it is there.
            int links = inode.extras().links();
            add(parent.path(), name, inode.version(), inode.attributes().length(), inode.place(), true, links);
            tellIfOlder(parent, name, inode);
        }
        return wrong;
    }

    /**
     * Adds a problem for a file of which a recovery may have missed a newer version. Programs that know the last position of
     * each unread object look for such files themselves, also in snapshots and clones.
     */
    private void tellIfOlder(ScanChecks.Parent parent, String name, Inode file) throws IOException {
        if (unread.isEmpty() || parent.path().isEmpty()) {
            return;
        }
        for (Unread each : unread) {
            if (mayBeOlder(file, each)) {
                problems.add(new ScanProblem(
                        "older",
                        parent.path().get().child(name).value(),
                        "version %s may be older than what was written last: %s".formatted(file.version(), each)));
                return;
            }
        }
    }

    /**
     * Returns whether a file's version is from before a recovery, or any of its bytes are. A file that became a clone's own after the recovery
     * has a new version, and the bytes of before; without any bytes it may be such a file.
     */
    private boolean mayBeOlder(Inode file, Unread object) throws IOException {
        if (mayBeOlder(file.version(), object) || !Inode.hasMap(file.place())) {
            return mayBeOlder(file.version(), object);
        }
        Inode whole = MapRows.whole(rows, file);
        List<ReferenceMap.Reference> references =
                ((Inode.Mapped) whole.place()).map().references();
        for (ReferenceMap.Reference each : references) {
            Optional<Content> content = Content.find(rows, each.content());
            if (content.isPresent() && mayBeOlder(content.get().version(), object)) {
                return true;
            }
        }
        return references.isEmpty();
    }

    /** Returns whether an object may have had a newer version, or the end of this one. A version without a claim's position may have been at any time before. */
    private boolean mayBeOlder(FileVersion version, Unread object) {
        return object.mayHaveHadNewer(version) || undated.contains(version.generation());
    }

    private Optional<ScanProblem> past(byte[] key, byte[] value, boolean evenIfWrong) throws IOException {
        Optional<ScanProblem> wrong = checks.past(key, value);
        Optional<LoneVersion> alone = LoneVersion.of(key, value);
        if (alone.isPresent() && (wrong.isEmpty() || evenIfWrong)) {
            Content content = alone.get().content();
            add(Optional.empty(), "", content.version(), content.length(), content.place(), false, 0);
        }
        return wrong;
    }

    private Optional<ScanProblem> content(byte[] key, byte[] value, boolean evenIfWrong) throws IOException {
        Content content = Content.decode(Keys.number(key), value);
        boolean isReferred =
                rows.any(Keys.numbered(Keys.REFERRER, content.id()), Keys.numbered(Keys.REFERRER, content.id() + 1));
        if (isReferred || evenIfWrong) {
            boolean present = Referrer.present(rows, content.id()).isPresent();
            add(Optional.empty(), "", content.version(), content.length(), content.place(), present, 0);
        }
        return isReferred
                ? Optional.empty()
                : Optional.of(new ScanProblem(
                        "content", "", "nobody has bytes of content %s, and it is kept".formatted(content.version())));
    }

    private void add(
            Optional<FilePath> directory,
            String name,
            FileVersion version,
            long length,
            Inode.Place place,
            boolean present,
            int links) {
        List<NumberedExtent> packed = place instanceof Inode.Packed bytes
                ? bytes.extents().stream()
                        .map(each -> new NumberedExtent(each.blob(), each.extent()))
                        .toList()
                : List.of();
        extents += packed.size();
        FileStatus.State state = namespace.placements().state(place);
        String worker = place instanceof Inode.Buffered buffered ? buffered.worker() : "";
        files.add(new ScannedFile(directory, name, version, length, state, worker, packed, present, links));
    }

    private Optional<ScanProblem> quota(long id, QuotaRow row, boolean evenIfWrong) throws IOException {
        Optional<ScanProblem> wrong = checks.quota(id, row);
        ScanChecks.Parent directory = checks.parent(id);
        if (directory.path().isPresent() && (wrong.isEmpty() || evenIfWrong)) {
            quotas.add(new ScannedQuota(directory.path().get(), row.told()));
        }
        return wrong;
    }

    private Optional<ScanProblem> snapshot(byte[] key, byte[] value) throws IOException {
        Snapshot snapshot = Snapshot.decode(key, value);
        if (snapshot.dropped() || snapshot.isHidden()) {
            return Optional.empty();
        }
        ScanChecks.Parent directory = checks.parent(snapshot.directory());
        directory.path().ifPresent(path -> snapshots.add(new ScannedSnapshot(path, snapshot.name())));
        return directory.path().isPresent()
                ? Optional.empty()
                : Optional.of(new ScanProblem(
                        "orphaned", "", "snapshot %s is of a directory that is nowhere".formatted(snapshot.name())));
    }
}
