package io.packing.worker.buffer;

import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/** Opens buffered files: each reader has channels of its own, so an interrupted one harms nobody else. */
final class BufferedFiles {
    private record Part(FileChannel channel, Path path, Extent extent) {}

    private BufferedFiles() {}

    static Optional<BufferedRead> openShared(Segment segment, long position) {
        FileChannel channel = open(segment.path());
        if (channel == null) {
            return Optional.empty();
        }
        try {
            int length = RecordHeader.lengthOf(read(channel, segment.path(), position, 8));
            Optional<RecordHeader> header = length < 0
                    ? Optional.empty()
                    : RecordHeader.decode(read(channel, segment.path(), position, length), position);
            if (header.isEmpty()) {
                channel.close();
                throw new IOException(
                        "%s: no record at %d; the disk may be failing".formatted(segment.path(), position));
            }
            List<Part> parts = header.get().extents().stream()
                    .map(extent -> new Part(channel, segment.path(), extent))
                    .toList();
            return Optional.of(new Reading(header.get().attributes(), parts, List.of(channel)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Optional<BufferedRead> openLarge(LargeFile file, LongFunction<Optional<Segment>> segments) {
        List<FileChannel> channels = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        for (LargeFile.Slice slice : file.slices()) {
            Optional<Segment> segment = segments.apply(slice.segment());
            FileChannel channel = segment.map(each -> open(each.path())).orElse(null);
            if (channel == null) {
                close(channels);
                return Optional.empty();
            }
            channels.add(channel);
            slice.extents()
                    .forEach(extent -> parts.add(new Part(channel, segment.get().path(), extent)));
        }
        return Optional.of(new Reading(file.attributes(), parts, channels));
    }

    private static @org.jspecify.annotations.Nullable FileChannel open(Path path) {
        try {
            return FileChannel.open(path, StandardOpenOption.READ);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer read(FileChannel channel, Path path, long offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, offset + bytes.position()) < 0) {
                throw new EOFException("%s ends before %d".formatted(path, offset + length));
            }
        }
        return bytes.flip();
    }

    private static void close(List<FileChannel> channels) {
        for (FileChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class Reading implements BufferedRead {
        private final FileAttributes attributes;
        private final List<Part> parts;
        private final List<FileChannel> channels;
        private int decodedPart = -1;
        private ByteBuffer decoded = ByteBuffer.allocate(0);

        Reading(FileAttributes attributes, List<Part> parts, List<FileChannel> channels) {
            this.attributes = attributes;
            this.parts = parts;
            this.channels = channels;
        }

        @Override
        public FileAttributes attributes() {
            return attributes;
        }

        @Override
        public synchronized int read(long position, ByteBuffer into) throws IOException {
            if (position >= attributes.length()) {
                return -1;
            }
            // All extents but the last have the same length.
            int number = (int) (position / parts.get(0).extent.length());
            Part part = parts.get(number);
            if (decodedPart != number) {
                Extent extent = part.extent;
                ByteBuffer stored =
                        BufferedFiles.read(part.channel, part.path, extent.blobOffset(), extent.storedLength());
                decoded = ExtentCodec.decode(part.path.toString(), extent, stored);
                decodedPart = number;
            }
            int from = (int) (position - part.extent.fileOffset());
            int count = Math.min(into.remaining(), decoded.limit() - from);
            into.put(decoded.slice(from, count));
            return count;
        }

        @Override
        public void close() {
            BufferedFiles.close(channels);
        }
    }
}
