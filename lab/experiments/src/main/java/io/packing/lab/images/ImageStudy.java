// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.packing.lab.compare.Median;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * A study of the bytes of images (Slacker §4.3 and §4.5): their compression, their duplicates and their depth in the
 * layers.
 *
 * @param gzipRatio of an image's layers, median
 * @param fileRatio bytes of an image's files to those of its different files, median
 * @param blockRatio the same of blocks of 4 KB
 * @param allFileRatio of the files of all images together, where each image counts with all that it has
 * @param allBlockRatio the same of blocks of 4 KB
 * @param layerFileRatio of the files of all layers together, where a layer that images share counts once
 * @param layersP50 layers of an image
 * @param bytesByDepth shares of all bytes at each depth; the uppermost layer has depth 1
 * @param topShare share of an image's bytes in its uppermost layer, median
 * @param bottomShare the same of the lowest layer
 * @param largestShare the same of the largest one
 */
record ImageStudy(
        List<OfImage> images,
        @JsonProperty("gzip_ratio_p50") double gzipRatio,
        @JsonProperty("file_dedup_ratio_p50") double fileRatio,
        @JsonProperty("block_dedup_ratio_p50") double blockRatio,
        @JsonProperty("all_file_dedup_ratio") double allFileRatio,
        @JsonProperty("all_block_dedup_ratio") double allBlockRatio,
        @JsonProperty("layers_file_dedup_ratio") double layerFileRatio,
        @JsonProperty("layers_p50") double layersP50,
        @JsonProperty("share_of_bytes_by_depth") Map<Integer, Double> bytesByDepth,
        @JsonProperty("top_share_p50") double topShare,
        @JsonProperty("bottom_share_p50") double bottomShare,
        @JsonProperty("largest_share_p50") double largestShare) {
    private static final int BLOCK = 4_096;

    /** A file of a layer: its length, a hash of its bytes, and one of each block. */
    private record Content(long length, long hash, List<Long> blocks) {}

    /** One image. */
    record OfImage(
            String name,
            @JsonProperty("layer_bytes") List<Long> layers,
            @JsonProperty("gzip_bytes") long gzipBytes,
            @JsonProperty("file_dedup_ratio") double fileRatio,
            @JsonProperty("block_dedup_ratio") double blockRatio) {
        OfImage {
            layers = List.copyOf(layers);
        }

        long bytes() {
            return layers.stream().mapToLong(Long::longValue).sum();
        }

        double gzipRatio() {
            return (double) bytes() / gzipBytes;
        }

        private double share(long layer) {
            return (double) layer / bytes();
        }
    }

    ImageStudy {
        images = List.copyOf(images);
        bytesByDepth = Collections.unmodifiableMap(new LinkedHashMap<>(bytesByDepth));
    }

    /** Looks at all bytes of the images, whose layers are tars. */
    static ImageStudy of(ImageSet set) throws IOException, InterruptedException {
        ImageSet gzipped = set.gzip();
        Map<ImageSet.Blob, Map<String, Content>> layers = new HashMap<>();
        for (ImageSet.Blob layer : set.layers()) {
            layers.put(layer, contents(layer));
        }
        List<OfImage> images = new ArrayList<>();
        List<Content> all = new ArrayList<>();
        Map<Integer, Double> byDepth = new LinkedHashMap<>();
        for (int i = 0; i < set.images().size(); i++) {
            ImageSet.Image image = set.images().get(i);
            // What an upper layer replaces is not there any more.
            Map<String, Content> merged = new HashMap<>();
            List<Long> sizes = new ArrayList<>();
            for (ImageSet.Blob layer : image.layers()) {
                merged.putAll(Objects.requireNonNull(layers.get(layer)));
                sizes.add(layer.size());
            }
            all.addAll(merged.values());
            for (int depth = 1; depth <= sizes.size(); depth++) {
                byDepth.merge(depth, (double) sizes.get(sizes.size() - depth), Double::sum);
            }
            images.add(new OfImage(
                    image.name(),
                    sizes,
                    gzipped.images().get(i).layers().stream()
                            .mapToLong(ImageSet.Blob::size)
                            .sum(),
                    files(merged.values()),
                    blocks(merged.values())));
        }
        double bytes =
                byDepth.values().stream().mapToDouble(Double::doubleValue).sum();
        byDepth.replaceAll((depth, has) -> has / bytes);
        List<Content> once = new ArrayList<>();
        layers.values().forEach(layer -> once.addAll(layer.values()));
        return new ImageStudy(
                images,
                median(images, OfImage::gzipRatio),
                median(images, OfImage::fileRatio),
                median(images, OfImage::blockRatio),
                files(all),
                blocks(all),
                files(once),
                median(images, image -> image.layers().size()),
                byDepth,
                median(
                        images,
                        image -> image.share(image.layers().get(image.layers().size() - 1))),
                median(images, image -> image.share(image.layers().get(0))),
                median(images, image -> image.share(Collections.max(image.layers()))));
    }

    private static double median(List<OfImage> images, ToDoubleFunction<OfImage> of) {
        return Median.of(images.stream().map(of::applyAsDouble).toList());
    }

    private static double files(Collection<Content> contents) {
        Set<Long> seen = new HashSet<>();
        long bytes = 0;
        long different = 0;
        for (Content each : contents) {
            bytes += each.length();
            different += seen.add(each.hash()) ? each.length() : 0;
        }
        return (double) bytes / different;
    }

    private static double blocks(Collection<Content> contents) {
        Set<Long> seen = new HashSet<>();
        long bytes = 0;
        long different = 0;
        for (Content each : contents) {
            bytes += each.length();
            for (int i = 0; i < each.blocks().size(); i++) {
                long length = Math.min(BLOCK, each.length() - (long) i * BLOCK);
                different += seen.add(each.blocks().get(i)) ? length : 0;
            }
        }
        return (double) bytes / different;
    }

    /** The ordinary files of a layer that are not empty, by path. */
    private static Map<String, Content> contents(ImageSet.Blob layer) throws IOException {
        Map<String, Content> contents = new HashMap<>();
        try (InputStream file = new BufferedInputStream(Files.newInputStream(layer.file()), 1 << 18);
                TarArchiveInputStream tar = new TarArchiveInputStream(file)) {
            byte[] block = new byte[BLOCK];
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (!entry.isFile() || entry.getSize() == 0) {
                    continue;
                }
                Hasher whole = Hashing.murmur3_128().newHasher();
                List<Long> blocks = new ArrayList<>();
                long length = 0;
                for (int n = tar.readNBytes(block, 0, BLOCK); n > 0; n = tar.readNBytes(block, 0, BLOCK)) {
                    whole.putBytes(block, 0, n);
                    blocks.add(Hashing.murmur3_128().hashBytes(block, 0, n).asLong());
                    length += n;
                }
                contents.put(entry.getName(), new Content(length, whole.hash().asLong(), blocks));
            }
        }
        return contents;
    }
}
