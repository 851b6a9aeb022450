// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobKey;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FinishedBlob;
import io.packing.blob.FooterWriter;
import io.packing.blob.ZstdEncoder;
import io.packing.encryption.DataKeys;
import io.packing.sorted.DiskFullException;
import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.worker.api.Compression;
import io.packing.worker.buffer.BufferSegment;
import io.packing.worker.buffer.BufferedFile;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.buffer.PushReport;
import io.packing.worker.buffer.SegmentFile;
import io.packing.worker.policy.PackingPolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The packer of a mount: it makes blobs of buffered files and pushes them. Several threads step one packer. */
public final class Packer implements AutoCloseable {
    /** The most pushed files in memory without a commit of the master: beyond it the packer seals no blob. */
    static final int MAX_UNCOMMITTED = 1 << 19;

    private static final Logger LOG = LoggerFactory.getLogger(Packer.class);

    /**
     * The rule by which files share a blob and are stored in it.
     *
     * @param blobMaxBytes of the files in a blob, for policies with an order of their own
     * @param compression of their bytes
     * @param keys give each blob a key, if the mount encrypts
     */
    public record Rule(PackingPolicy policy, long blobMaxBytes, Compression compression, Optional<DataKeys> keys) {}

    private final FileBuffer buffer;
    private final Rule rule;
    private final ScratchFiles scratch;
    private final BlobPusher pusher;
    private final MasterSession masterSession;
    private final ActiveWork activeWork;
    private final MeterRegistry metrics;

    /**
     * @param scratch files for copies of blobs; closed with the packer
     * @param activeWork counts the seals
     */
    public Packer(
            FileBuffer buffer,
            Rule rule,
            ScratchFiles scratch,
            BlobPusher pusher,
            MasterSession masterSession,
            ActiveWork activeWork,
            MeterRegistry metrics) {
        this.activeWork = activeWork;
        this.buffer = buffer;
        this.rule = rule;
        this.scratch = scratch;
        this.pusher = pusher;
        this.masterSession = masterSession;
        this.metrics = metrics;
    }

    /** Seals and pushes at most one blob; returns true if it had work. */
    public boolean step() throws IOException {
        try {
            boolean worked = packOne();
            if (worked) {
                buffer.packed();
            }
            return worked;
        } catch (IOException e) {
            if (DiskFullException.isCauseOf(e)) {
                buffer.cannotPack(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    private boolean packOne() throws IOException {
        scratch.tidy();
        if (masterSession.waiting() >= MAX_UNCOMMITTED) {
            return false;
        }
        Optional<BufferSegment> segment =
                buffer.selection().takeSegment(!rule.policy().keepsArrivalOrder());
        if (segment.isPresent()) {
            try (Span span = activeWork.packing();
                    CurrentSpan.Bound bound = CurrentSpan.bind(span)) {
                pack(segment.get());
            }
            return true;
        }
        if (rule.policy().keepsArrivalOrder()) {
            return false;
        }
        List<BufferedFile> files = buffer.selection().takeFiles(rule.policy().order(), rule.blobMaxBytes());
        if (files.isEmpty()) {
            return false;
        }
        boolean done = false;
        try (Span span = activeWork.packing();
                CurrentSpan.Bound bound = CurrentSpan.bind(span)) {
            copy(files);
            done = true;
        } finally {
            if (!done) {
                buffer.selection().giveBack(files);
            }
        }
        return true;
    }

    private void pack(BufferSegment segment) throws IOException {
        boolean again = true;
        try {
            List<BufferedFile> living = buffer.selection().living(segment);
            // A segment has names between its files, which an encrypted blob must not show.
            if (LivingFiles.areSparse(segment, living)
                    || segment.file().isEmpty()
                    || rule.compression() == Compression.ZSTD
                    || rule.keys().isPresent()) {
                copy(living);
            } else {
                try {
                    seal(segment, living);
                } catch (CorruptBlobException e) {
                    copy(healthy(living, e));
                }
            }
            again = false;
            metrics.counter(
                            "packing.sealed.segments",
                            "cause",
                            segment.cause().name().toLowerCase(Locale.ROOT))
                    .increment();
        } finally {
            buffer.selection().release(segment, again);
        }
    }

    /** Returns the files whose bytes match their checksums; the others stay in their segments. */
    private List<BufferedFile> healthy(List<BufferedFile> files, CorruptBlobException cause) throws IOException {
        List<BufferedFile> healthy = new ArrayList<>();
        for (BufferedFile file : files) {
            try {
                for (BufferedFile.Part part : buffer.parts(file).orElse(List.of())) {
                    ExtentCodec.decode(file.path().value(), part.extent(), stored(part));
                }
                healthy.add(file);
            } catch (CorruptBlobException e) {
                LOG.error(
                        "buffered file {} is damaged and cannot be packed: write it again; the disk may be failing",
                        file.path(),
                        e);
                buffer.selection().damaged(file);
            }
        }
        if (healthy.size() == files.size()) {
            throw new CorruptBlobException("every file is sound, but not the blob of them", cause);
        }
        return healthy;
    }

    private static ByteBuffer stored(BufferedFile.Part part) throws IOException {
        return part.segment().read(part.extent());
    }

    private void seal(BufferSegment segment, List<BufferedFile> living) throws IOException {
        Map<BufferedFile, List<Extent>> placed = LivingFiles.places(buffer, segment, living);
        // An earlier attempt may have left a footer.
        SegmentFile file = segment.file().orElseThrow();
        FileChannel channel = file.channel();
        channel.truncate(segment.position());
        Timer.Sample sealing = Timer.start(metrics);
        FinishedBlob finished;
        try (ActiveWork.Begun begun =
                activeWork.begin("seal", "the footer of a blob of %,d files".formatted(placed.size()))) {
            finished = FooterWriter.finish(channel, LivingFiles.packed(placed));
        }
        sealing.stop(metrics.timer("packing.seal", "way", "footer"));
        push(file.path(), channel, finished, placed);
    }

    /** Copies files into a blob, or into several where the disk has little room. */
    private void copy(List<BufferedFile> files) throws IOException {
        for (int from = 0, to; from < files.size(); from = to) {
            to = fitting(files, from, scratch.room());
            List<BufferedFile> some = files.subList(from, to);
            try {
                copyOne(some);
            } catch (CorruptBlobException e) {
                // One bad record must not keep the others from being pushed. It is not given back either, since the
                // next step would fail with it again.
                copyOne(healthy(some, e));
            }
        }
    }

    /** Returns the end of the files whose blob fits in the room; takes at least one. */
    private static int fitting(List<BufferedFile> files, int from, long room) {
        int to = from;
        for (long bytes = 0; to < files.size(); to++) {
            bytes += files.get(to).attributes().length() + LivingFiles.overhead(files.get(to));
            if (to > from && bytes > room) {
                break;
            }
        }
        return to;
    }

    private void copyOne(List<BufferedFile> files) throws IOException {
        if (files.isEmpty()) {
            return;
        }
        Path path = scratch.take();
        boolean pushed = false;
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Timer.Sample sealing = Timer.start(metrics);
            Map<BufferedFile, List<Extent>> placed = new LinkedHashMap<>();
            FinishedBlob finished;
            try (ActiveWork.Begun begun =
                    activeWork.begin("seal", "the copy of %,d files into a blob".formatted(files.size()))) {
                finished = rule.compression() == Compression.ZSTD
                        ? compress(files, placed, channel)
                        : copy(files, placed, BlobWriter.over(channel, Packer::asTheyAre, key()));
            }
            sealing.stop(metrics.timer("packing.seal", "way", "copy"));
            push(path, channel, finished, placed);
            pushed = true;
        } finally {
            if (pushed) {
                scratch.giveBack(path);
            } else {
                scratch.drop(path);
            }
        }
    }

    private FinishedBlob compress(List<BufferedFile> files, Map<BufferedFile, List<Extent>> placed, FileChannel channel)
            throws IOException {
        List<Training.Sample> samples =
                files.stream().<Training.Sample>map(Content::new).toList();
        try (ZstdEncoder encoder = new ZstdEncoder(Training.dictionary(samples))) {
            BlobWriter writer = BlobWriter.over(channel, encoder, key());
            for (BufferedFile file : files) {
                Optional<List<BufferedFile.Part>> parts = buffer.parts(file);
                if (parts.isPresent()) {
                    placed.put(file, encode(file.version().id(), parts.get(), writer));
                }
            }
            return writer.finish(LivingFiles.packed(placed));
        }
    }

    private FinishedBlob copy(List<BufferedFile> files, Map<BufferedFile, List<Extent>> placed, BlobWriter writer)
            throws IOException {
        RunCopy copy = new RunCopy(writer);
        for (BufferedFile file : files) {
            Optional<List<BufferedFile.Part>> parts = buffer.parts(file);
            if (parts.isPresent()) {
                copy.add(file, parts.get());
            }
        }
        placed.putAll(copy.run());
        return writer.finish(LivingFiles.packed(placed));
    }

    private static ExtentCodec.Stored asTheyAre(ByteBuffer bytes) {
        return ExtentCodec.encode(Codec.NONE, bytes);
    }

    /** Returns a key for one attempt to write one blob. */
    private Optional<BlobKey> key() throws IOException {
        return rule.keys().isPresent() ? Optional.of(BlobKey.begin(rule.keys().get())) : Optional.empty();
    }

    /** A buffered file as a sample for a dictionary. */
    private final class Content implements Training.Sample {
        private final BufferedFile file;

        Content(BufferedFile file) {
            this.file = file;
        }

        @Override
        public long length() {
            return file.attributes().length();
        }

        @Override
        public Optional<ByteBuffer> read() throws IOException {
            List<BufferedFile.Part> parts = buffer.parts(file).orElse(List.of());
            return parts.isEmpty() ? Optional.empty() : Optional.of(decoded(parts.get(0)));
        }
    }

    private static ByteBuffer decoded(BufferedFile.Part part) throws IOException {
        return ExtentCodec.decode(part.segment().toString(), part.extent(), stored(part));
    }

    private static List<Extent> encode(long fileId, List<BufferedFile.Part> parts, BlobWriter writer)
            throws IOException {
        List<Extent> encoded = new ArrayList<>();
        for (BufferedFile.Part part : parts) {
            encoded.add(writer.append(fileId, part.extent().fileOffset(), decoded(part)));
        }
        return List.copyOf(encoded);
    }

    private void push(Path path, FileChannel channel, FinishedBlob finished, Map<BufferedFile, List<Extent>> placed)
            throws IOException {
        Span span = CurrentSpan.get();
        if (span.isRecorded()) {
            follow(span.with("packing.files", placed.size()).with("packing.bytes", finished.length()), placed);
        }
        PushedBlob blob = pusher.push(path, channel, finished);
        PushReport report = buffer.selection().pushed(blob, placed);
        if (!report.blobs().isEmpty() || !report.files().isEmpty()) {
            masterSession.add(report);
        }
    }

    /** Releases the scratch files, after the last step. */
    @Override
    public void close() {
        scratch.close();
    }

    private void follow(Span span, Map<BufferedFile, List<Extent>> placed) {
        if (!activeWork.sampled().isEmpty()) {
            activeWork
                    .sampled()
                    .link(span, placed.keySet().stream().map(BufferedFile::id).collect(Collectors.toSet()));
        }
    }
}
