// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.packing.bdt.PushedBlob;
import io.packing.blob.AnnouncedFooter;
import io.packing.blob.Extent;
import io.packing.blob.FileRangeSource;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.worker.buffer.BufferSegment;
import io.packing.worker.buffer.BufferedFile;
import io.packing.worker.buffer.CheckedRecords;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.buffer.FillingSegments;
import io.packing.worker.buffer.PushReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pusher of blobs that still fill (RFC 0018). It announces the length of the open segment's blob, begins the PUT,
 * and sends each record soon after it is synced. A push that it cuts leaves no object, and the packer pushes the whole
 * blob later. One thread steps it.
 */
public final class PushAhead {
    /** The longest time without a byte; stores close idle connections after 20 s or more. */
    static final Duration STALL = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(PushAhead.class);
    private static final long WAIT_MILLIS = 1_000;

    private final FileBuffer buffer;
    private final Announcement.Rule rule;
    private final Duration stall;
    private final BlobPusher pusher;
    private final MasterSession masterSession;
    private final ActiveWork activeWork;
    private final LongSupplier nanoTime;
    private final MeterRegistry metrics;
    private final Boldness boldness = new Boldness();
    /** The segment that was looked at last, and the size at which it is looked at again. */
    private Optional<BufferSegment> seen = Optional.empty();

    private long againAt;

    /**
     * @param blobMaxBytes of the files in a blob
     * @param within the time in which a blob has to be full
     */
    public PushAhead(
            FileBuffer buffer,
            long blobMaxBytes,
            Duration within,
            BlobPusher pusher,
            MasterSession masterSession,
            ActiveWork activeWork,
            LongSupplier nanoTime,
            MeterRegistry metrics) {
        this(
                buffer,
                new Announcement.Rule(blobMaxBytes, FillingSegments.MOST_FILES, within),
                STALL,
                pusher,
                masterSession,
                activeWork,
                nanoTime,
                metrics);
    }

    /** @param stall the longest time without a byte */
    PushAhead(
            FileBuffer buffer,
            Announcement.Rule rule,
            Duration stall,
            BlobPusher pusher,
            MasterSession masterSession,
            ActiveWork activeWork,
            LongSupplier nanoTime,
            MeterRegistry metrics) {
        this.buffer = buffer;
        this.rule = rule;
        this.stall = stall;
        this.pusher = pusher;
        this.masterSession = masterSession;
        this.activeWork = activeWork;
        this.nanoTime = nanoTime;
        this.metrics = metrics;
        register(metrics);
    }

    /** Registers what is counted, so that a worker serves zeros before its first push. */
    private static void register(MeterRegistry metrics) {
        Counter unusedAhead = metrics.counter("packing.pushed.ahead");
        Timer unusedTail = metrics.timer("packing.push.tail");
        for (PushCutException.Cause cause : PushCutException.Cause.values()) {
            Counter unused = cuts(metrics, cause);
        }
    }

    private static Counter cuts(MeterRegistry metrics, PushCutException.Cause cause) {
        return metrics.counter("packing.push.cuts", "cause", cause.name().toLowerCase(Locale.ROOT));
    }

    /** Pushes the open segment while it fills, or waits a moment until that pays; returns true if it pushed a blob. */
    public boolean step() throws IOException, InterruptedException {
        Optional<BufferSegment> open = buffer.filling().awaitOpen(WAIT_MILLIS);
        if (open.isEmpty()) {
            return false;
        }
        BufferSegment segment = open.get();
        if (!seen.equals(open)) {
            seen = open;
            againAt = boldness.leavesOut() ? Long.MAX_VALUE : boldness.leastBytes(rule.blobMaxBytes());
        }
        FillingSegments.Size size = buffer.filling().awaitBeyond(segment, againAt, WAIT_MILLIS);
        if (size.bytes() <= againAt) {
            return false;
        }
        againAt = size.bytes() + boldness.leastBytes(rule.blobMaxBytes());
        if (masterSession.isFenced()
                || masterSession.waiting() >= Packer.MAX_UNCOMMITTED
                || !pusher.takesStream(rule.blobMaxBytes())) {
            return false;
        }
        Optional<Announcement> announced = announce(segment, size);
        if (announced.isEmpty()
                || !pusher.takesStream(announced.get().length())
                || !buffer.filling().take(segment, announced.get().footerOffset())) {
            return false;
        }
        againAt = Long.MAX_VALUE;
        try (Span span = activeWork.packing();
                CurrentSpan.Bound bound = CurrentSpan.bind(span)) {
            return push(segment, announced.get());
        }
    }

    private Optional<Announcement> announce(BufferSegment segment, FillingSegments.Size size) throws IOException {
        Optional<Double> end = rule.end(size);
        if (end.isEmpty()) {
            return Optional.empty();
        }
        List<PackedFile> files = buffer.filling().granted(segment);
        return files.isEmpty()
                ? Optional.empty()
                : Optional.of(Announcement.of(
                        end.get(), size.bytes(), AnnouncedFooter.storedBytes(files), AnnouncedFooter.TRAILER_BYTES));
    }

    private boolean push(BufferSegment segment, Announcement announced) throws IOException {
        boolean pushed = false;
        Path path = segment.file().orElseThrow().path();
        // A channel of its own: an interrupt closes it, and must not close the one to which files are appended.
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            FileRangeSource source = new FileRangeSource(path.toString(), channel);
            Patience patience = new Patience(nanoTime, stall, rule.within().multipliedBy(2));
            Finish finish = new Finish(segment, source, announced, patience);
            SegmentStream stream = new SegmentStream(buffer.filling(), segment, source, announced, patience, finish);
            PushedBlob blob = pusher.push(announced, stream, finish);
            PushReport report = buffer.selection().pushed(blob, finish.placed);
            if (!report.blobs().isEmpty() || !report.files().isEmpty()) {
                masterSession.add(report);
            }
            pushed = true;
            boldness.succeeded();
            metrics.timer("packing.push.tail").record(Duration.ofNanos(nanoTime.getAsLong() - finish.sinceNanos));
            metrics.counter(
                            "packing.sealed.segments",
                            "cause",
                            segment.cause().name().toLowerCase(Locale.ROOT))
                    .increment();
            return true;
        } catch (PushCutException e) {
            boldness.wasCut();
            cuts(metrics, e.why()).increment();
            LOG.info("{}: its push was cut and is made later, with all of its bytes: {}", segment, e.getMessage());
            return false;
        } finally {
            buffer.filling().giveUp(segment);
            buffer.selection().release(segment, !pushed);
        }
    }

    /** The end of a blob, when its segment takes no more records. */
    final class Finish implements SegmentStream.Ending {
        private static final long WAIT_MILLIS = 100;

        private final BufferSegment segment;
        private final FileRangeSource source;
        private final Announcement announced;
        private final Patience patience;
        private Map<BufferedFile, List<Extent>> placed = new LinkedHashMap<>();
        private Optional<AnnouncedFooter.End> end = Optional.empty();
        private long sinceNanos;

        Finish(BufferSegment segment, FileRangeSource source, Announcement announced, Patience patience) {
            this.segment = segment;
            this.source = source;
            this.announced = announced;
            this.patience = patience;
        }

        /** Returns the measures of the blob, after its last byte was asked for. */
        FinishedBlob blob() {
            return end.orElseThrow().blob();
        }

        /** Returns the footer and the trailer. */
        ByteBuffer bytes() {
            return end.orElseThrow().bytes().duplicate();
        }

        @Override
        public ByteBuffer bytes(CheckedRecords records) throws IOException, InterruptedException {
            sinceNanos = nanoTime.getAsLong();
            patience.begin();
            while (!buffer.filling().awaitSettled(segment, WAIT_MILLIS)) {
                patience.check();
            }
            List<BufferedFile> living = buffer.selection().living(segment);
            placed = LivingFiles.places(buffer, segment, living);
            if (placed.isEmpty() || LivingFiles.areSparse(segment, living)) {
                throw new PushCutException(
                        PushCutException.Cause.SPARSE, "only %,d files are left".formatted(living.size()));
            }
            try (ActiveWork.Begun begun =
                    activeWork.begin("seal", "the footer of a blob of %,d files".formatted(placed.size()))) {
                end = AnnouncedFooter.finish(
                        LivingFiles.packed(placed), announced.footerOffset(), announced.footerBytes(), gaps(records));
            }
            check(records);
            return bytes();
        }

        private void check(CheckedRecords records) throws PushCutException {
            if (end.isEmpty()) {
                throw new PushCutException(
                        PushCutException.Cause.FOOTER,
                        "the footer of %,d files is larger than %,d bytes"
                                .formatted(placed.size(), announced.footerBytes()));
            }
            for (List<Extent> extents : placed.values()) {
                for (Extent extent : extents) {
                    if (!records.have(extent)) {
                        throw new PushCutException(
                                PushCutException.Cause.DAMAGE, "%s: no record has %s".formatted(segment, extent));
                    }
                }
            }
        }

        private AnnouncedFooter.Gaps gaps(CheckedRecords records) {
            return new AnnouncedFooter.Gaps() {
                @Override
                public OptionalInt crc32c(long covered) {
                    return records.gaps(covered, announced.footerOffset());
                }

                @Override
                public void read(long offset, ByteBuffer into) throws IOException {
                    long inRecords = Math.min(into.remaining(), Math.max(0, records.position() - offset));
                    int limit = into.limit();
                    into.limit(into.position() + (int) inRecords);
                    source.read(offset, into);
                    into.limit(limit);
                    while (into.hasRemaining()) {
                        into.put((byte) 0);
                    }
                }
            };
        }
    }
}
