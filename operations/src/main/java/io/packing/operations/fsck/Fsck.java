// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.Bdt;
import io.packing.bdt.NumberedExtent;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScanProblem;
import io.packing.bdt.ScannedFile;
import io.packing.bdt.ScannedSnapshot;
import io.packing.bdt.WorkerInfo;
import io.packing.blob.Extent;
import io.packing.operations.walk.ScanPages;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks a mount that may be in use. Reads every row of the table once, lists the store once, and reads the footer of each blob
 * that a file needs. Memory: some 300 bytes a blob, and the footers of four blobs. Confined to one thread, and used once.
 */
public final class Fsck {
    private static final Logger LOG = LoggerFactory.getLogger(Fsck.class);

    /** The offset of a blob's body. */
    private static final int BODY_START = 16;

    private final Bdt bdt;
    private final ObjectStore store;
    private final Path scratch;
    private final FsckOptions options;
    private final DamageLog log;
    private final HardLinkNames links = new HardLinkNames();
    private final OlderFiles older = new OlderFiles();
    private final DamageLocator findings;
    private final BlobStates blobs;
    private final AdoptedCheck adopted;
    private final AtomicLong verified = new AtomicLong();
    private final List<ScannedSnapshot> snapshots = new ArrayList<>();
    private final Set<String> gone = new HashSet<>();
    private Set<String> workers = Set.of();
    private List<Orphan> orphans = List.of();
    private long files;
    private long contents;

    /**
     * A check of a mount.
     *
     * @param scratch a directory for temporary files, 32 bytes an extent
     * @param log takes the damage
     */
    public Fsck(Bdt bdt, ObjectStore store, Path scratch, FsckOptions options, DamageLog log) {
        this.bdt = bdt;
        this.store = store;
        this.scratch = scratch;
        this.options = options;
        this.log = log;
        log.follow(links::named);
        this.findings = new DamageLocator(bdt, log, links, older);
        this.adopted = new AdoptedCheck(store, findings, options.adopted());
        this.blobs = new BlobStates(bdt, store, log, this::tell);
    }

    /**
     * Checks all of it.
     *
     * @param looked is told how many files were looked at since it was told before
     */
    public FsckResult run(LongConsumer looked) throws IOException {
        workers = bdt.workers().stream().map(WorkerInfo::worker).collect(Collectors.toSet());
        blobs.read();
        orphans = new OrphanCheck(bdt, store, options.keystore()).orphans(blobs.list());
        orphans.stream()
                .filter(each -> !each.isNeedless())
                .forEach(each -> findings.ofBlob(each.kind(), each.key(), each.detail()));
        lengths();
        try (ExtentMarks marks = new ExtentMarks(scratch, bdt.statistics().files())) {
            scan(ScanPart.FILES, marks, looked);
            links.check(bdt, log);
            scan(ScanPart.CONTENTS, marks, looked);
            scan(ScanPart.PAST, marks, looked);
            scan(ScanPart.SNAPSHOTS, marks, looked);
            quotas(marks, looked);
            marks.finish();
            check(marks);
        }
        accounts();
        findings.shared().name(snapshots);
        return new FsckResult(files, contents, blobs.all().size(), verified.get(), adopted.asked());
    }

    /** The blobs of the store that the table does not know. */
    public List<Orphan> orphans() {
        return orphans;
    }

    private void quotas(ExtentMarks marks, LongConsumer looked) throws IOException {
        try {
            scan(ScanPart.QUOTAS, marks, looked);
        } catch (IllegalArgumentException older) {
            // A master of an older version does not know this part, and has no quotas.
            LOG.debug("quotas are not checked", older);
        }
    }

    private void lengths() {
        for (BlobState blob : blobs.all()) {
            // Until a worker reports it, the table knows of a blob what its name says.
            if (!blob.isMissing() && blob.isSettled() && blob.objectLength() != blob.length()) {
                findings.ofBlob(
                        DamageKind.LENGTH,
                        blob.key(),
                        "%d bytes in the store, %d in the table".formatted(blob.objectLength(), blob.length()));
            }
        }
    }

    private void scan(ScanPart part, ExtentMarks marks, LongConsumer looked) throws IOException {
        ScanPages.visit(bdt, part, page -> {
            links.take(page);
            for (ScannedFile file : page.files()) {
                look(file, part != ScanPart.FILES, marks);
            }
            tell(page);
            looked.accept(page.files().size());
        });
    }

    private void tell(ScanPage page) {
        snapshots.addAll(page.snapshots());
        older.take(page);
        page.problems().forEach(this::tell);
    }

    private void tell(ScanProblem problem) {
        if (older.isToLog(problem)) {
            log.add(new Damage(problem.path(), DamageKind.of(problem.kind()), "", problem.message()));
        }
    }

    private void look(ScannedFile file, boolean content, ExtentMarks marks) throws IOException {
        boolean removed = !content && file.path().isEmpty();
        if (content) {
            contents++;
        } else if (!removed) {
            files++;
        }
        switch (file.state()) {
            case LOST -> ofWorker(file, removed, DamageKind.LOST, "worker %s came back without it");
            case BUFFERED -> {
                if (isGone(file.worker())) {
                    ofWorker(
                            file,
                            removed,
                            DamageKind.UNREACHABLE,
                            "worker %s buffers it and is gone: start it on its buffer directory");
                }
            }
            default -> packed(file, content, removed, marks);
        }
    }

    /** A worker that was not there at first is asked for once more: a master that has just started has not heard of all. */
    private boolean isGone(String worker) throws IOException {
        if (workers.contains(worker)) {
            return false;
        }
        if (gone.add(worker)) {
            workers = bdt.workers().stream().map(WorkerInfo::worker).collect(Collectors.toSet());
        }
        return !workers.contains(worker);
    }

    private void ofWorker(ScannedFile file, boolean removed, DamageKind kind, String detail) throws IOException {
        if (!removed) {
            findings.ofFile(file, kind, detail.formatted(file.worker()));
        }
    }

    private void packed(ScannedFile file, boolean content, boolean removed, ExtentMarks marks) throws IOException {
        Set<BlobState> told = new HashSet<>();
        for (NumberedExtent numbered : file.extents()) {
            Extent extent = numbered.extent();
            Optional<BlobState> named = blobs.blob(numbered.blob());
            if (named.isEmpty()) {
                if (!removed) {
                    findings.ofUnknownBlob(file, extent, "the table names blob number %d".formatted(numbered.blob()));
                }
                continue;
            }
            BlobState blob = named.get();
            blob.count(extent.storedLength());
            if (removed) {
                continue;
            }
            Optional<DamageKind> wrong = wrong(blob, extent);
            if (wrong.isEmpty()) {
                marks.add(new ExtentMark(
                        numbered.blob(), ExtentMark.print(file.version(), extent), file.version(), content));
            } else if (content || told.add(blob)) {
                findings.ofExtent(file, extent, wrong.get(), blob, wrong.get().meaning());
            }
        }
    }

    private static Optional<DamageKind> wrong(BlobState blob, Extent extent) {
        if (blob.isMissing()) {
            return Optional.of(DamageKind.MISSING);
        }
        if (extent.blobOffset() < BODY_START || extent.blobEnd() > blob.name().footerOffset()) {
            return Optional.of(DamageKind.OUTSIDE);
        }
        return extent.blobEnd() > blob.objectLength() ? Optional.of(DamageKind.SHORT) : Optional.empty();
    }

    private void check(ExtentMarks marks) throws IOException {
        Random random = new Random(options.seed());
        Set<Long> sample = new HashSet<>();
        for (BlobState blob : blobs.all()) {
            if (random.nextDouble() < options.verify()) {
                sample.add(blob.number());
            }
        }
        BlobCheck check = new BlobCheck(store, options.keystore(), findings, adopted, blob -> {
            boolean wanted = sample.contains(blob.number());
            if (wanted) {
                verified.incrementAndGet();
            }
            return wanted;
        });
        Parallel.forEach(marks.buckets(), bucket -> {
            for (Map.Entry<Long, List<ExtentMark>> each : marks.bucket(bucket).entrySet()) {
                Optional<BlobState> blob = blobs.known(each.getKey());
                if (blob.isPresent()) {
                    check.check(blob.get(), each.getValue());
                }
            }
        });
    }

    /** A blob that changed since the beginning is left out: its files were counted at some time in between. */
    private void accounts() throws IOException {
        Map<Long, Long> now = new HashMap<>();
        for (BlobState blob : blobs.all()) {
            if (blob.counted() != blob.live()) {
                now.put(blob.number(), blob.live());
            }
        }
        if (now.isEmpty()) {
            return;
        }
        ScanPages.visit(
                bdt,
                ScanPart.BLOBS,
                page -> page.blobs().forEach(row -> {
                    Long before = now.get(row.number());
                    Optional<BlobState> blob = blobs.known(row.number());
                    if (before != null && blob.isPresent() && row.live() == before) {
                        findings.ofBlob(
                                DamageKind.ACCOUNTS,
                                blob.get().key(),
                                "the table counts %d live bytes, its files have %d"
                                        .formatted(before, blob.get().counted()));
                    }
                }));
    }
}
