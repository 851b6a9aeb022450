// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.BdtStatistics;
import io.packing.blob.FilePath;
import io.packing.volumes.Volume;
import io.packing.volumes.VolumeFiles;
import io.packing.volumes.VolumeMemory;
import io.packing.volumes.VolumeSharing;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Images of disks, each written to a volume of its own. In a first round each block has bytes of its own. In a second one it has those of an
 * equal block of the volume, or of an image before it. {@code bin/vm-images} builds images.
 */
public final class VolumeImages {
    /** A deleted group keeps its bytes until the store has the journal of the deletion: a seal comes minutes later by default. */
    private static final List<String> SYNCED =
            List.of("packing.durability=synced", "packing.journal.interval=1s", "packing.seal.quiet=1h");

    private static final int PIECE = 256 << 10;
    private static final int BLOCK = 4 << 10;
    private static final int BLOCKS_KNOWN = 1 << 20;
    private static final int SECTOR = VolumeFiles.SECTOR;
    /** The longest wait for the blocks of an image to be known. */
    private static final long PAUSE_MILLIS = 10;

    /** The time after which the store has a journal, and the worker knows it. */
    private static final long JOURNALLED_MILLIS = 5_000;

    private VolumeImages() {}

    /** Takes the images. */
    public static void main(String[] args) throws Exception {
        List<Path> images = new ArrayList<>();
        for (String each : args) {
            images.add(Path.of(each));
        }
        System.out.println(Measure.json(measure(images)));
    }

    /** Returns the figures of all images, by their number. */
    static Map<String, Double> measure(List<Path> images) throws Exception {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (boolean shares : List.of(false, true)) {
            Path home = Files.createTempDirectory("volume-images");
            try (IngestCluster cluster = new IngestCluster(home, List.of(), SYNCED)) {
                measure(cluster, images, shares, figures);
            } finally {
                IngestTurns.delete(home);
            }
        }
        return figures;
    }

    private static void measure(IngestCluster cluster, List<Path> images, boolean shares, Map<String, Double> figures)
            throws Exception {
        String kind = shares ? "shared" : "plain";
        RemotePackingFileSystem mount = cluster.client(SYNCED);
        VolumeFiles files = new VolumeFiles(mount.bdt());
        List<FilePath> before = new ArrayList<>();
        ExecutorService background = Executors.newSingleThreadExecutor();
        try {
            for (Path image : images) {
                String name = "%d_%s_".formatted(before.size() + 1, kind);
                FilePath path = new FilePath("/v" + (before.size() + 1));
                files.create(path, (Files.size(image) + SECTOR - 1) / SECTOR * SECTOR);
                VolumeSharing sharing = shares ? new VolumeSharing(BLOCKS_KNOWN, before) : VolumeSharing.NONE;
                long bytesBefore = mount.bdt().statistics().blobBytes();
                double cpuBefore = cluster.cpuSeconds();
                try (Volume volume = Volume.open(mount, path, false, VolumeMemory.USUAL, sharing, background)) {
                    long begin = System.nanoTime();
                    while (!volume.knowsAll()) {
                        Measure.pause(PAUSE_MILLIS);
                    }
                    figures.put(name + "known_seconds", (System.nanoTime() - begin) / 1e9);
                    begin = System.nanoTime();
                    long written = write(image, volume);
                    Void unused = volume.flush().get();
                    double seconds = (System.nanoTime() - begin) / 1e9;
                    figures.put(name + "mb", written / 1e6);
                    figures.put(name + "mb_per_s", written / 1e6 / seconds);
                    volume.close();
                    figures.put(name + "shared_mb", volume.sharedBytes() / 1e6);
                    figures.put(name + "zero_mb", volume.zeroBytes() / 1e6);
                }
                figures.put(name + "cpu_seconds", cluster.cpuSeconds() - cpuBefore);
                Measure.pause(JOURNALLED_MILLIS);
                mount.flush();
                BdtStatistics now = mount.bdt().statistics();
                figures.put(name + "pushed_mb", (now.blobBytes() - bytesBefore) / 1e6);
                figures.put(name + "pieces", (double) files.statistics(path).pieces());
                check(image, mount, path, background);
                before.add(path);
            }
        } finally {
            background.shutdown();
        }
    }

    /** Writes the blocks of an image that are not zeros, as tools for images do; returns their bytes. */
    private static long write(Path image, Volume volume) throws IOException {
        long written = 0;
        ByteBuffer zeros = ByteBuffer.allocate(BLOCK);
        try (FileChannel in = FileChannel.open(image, StandardOpenOption.READ)) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            for (long at = 0; at < in.size(); at += PIECE) {
                fill(in, at, piece);
                int from = 0;
                while (from < piece.limit()) {
                    int end = from;
                    while (end < piece.limit() && !isZero(piece, end, zeros)) {
                        end = Math.min(piece.limit(), end + BLOCK);
                    }
                    if (end > from) {
                        volume.write(at + from, piece.duplicate().position(from).limit(end));
                        written += end - from;
                    }
                    from = Math.max(end, from + BLOCK);
                }
            }
        }
        return written;
    }

    private static boolean isZero(ByteBuffer piece, int from, ByteBuffer zeros) {
        int end = Math.min(piece.limit(), from + BLOCK);
        return piece.duplicate()
                        .position(from)
                        .limit(end)
                        .mismatch(zeros.duplicate().limit(end - from))
                < 0;
    }

    private static void fill(FileChannel in, long at, ByteBuffer piece) throws IOException {
        piece.clear().limit((int) Math.min(PIECE, in.size() - at));
        while (piece.hasRemaining()) {
            if (in.read(piece, at + piece.position()) < 0) {
                throw new IOException("the image became shorter");
            }
        }
        piece.flip();
    }

    /** Compares a volume with its image. */
    private static void check(Path image, RemotePackingFileSystem mount, FilePath path, ExecutorService background)
            throws IOException {
        try (Volume volume = Volume.open(mount, path, true, VolumeMemory.USUAL, background);
                FileChannel in = FileChannel.open(image, StandardOpenOption.READ)) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            for (long at = 0; at < in.size(); at += PIECE) {
                fill(in, at, piece);
                ByteBuffer there = ByteBuffer.allocate(piece.limit());
                volume.read(at, there);
                if (there.flip().mismatch(piece) >= 0) {
                    throw new IOException(
                            "%s differs from %s in the %d bytes from %d on".formatted(path, image, piece.limit(), at));
                }
            }
        }
    }
}
