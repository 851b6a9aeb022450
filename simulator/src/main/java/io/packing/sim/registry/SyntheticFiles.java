// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

import io.packing.placement.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Synthetic files of a trace's layers, since traces do not have them. A layer gets files until it has its bytes; each
 * is a file of another layer, or a new one. Equal parameters give equal files.
 *
 * @param shared share of the files of a layer that other layers have
 * @param median bytes of a file; sizes are log-normal
 * @param sigma of the logarithm
 * @param most files of a layer: a larger layer has larger files
 */
public record SyntheticFiles(double shared, long median, double sigma, int most, long seed) {
    public SyntheticFiles {
        if (!(shared >= 0 && shared < 1) || median < 1 || !(sigma >= 0 && sigma <= 5) || most < 1) {
            throw new IllegalArgumentException(
                    "registry-nodes.files: shared is less than 1, median and most are 1 at least, sigma is 0 to 5");
        }
    }

    /** Makes the files of each layer. */
    public List<List<StoredFile>> make(RegistryTrace trace) {
        SplittableRandom random = new SplittableRandom(seed);
        List<StoredFile> all = new ArrayList<>();
        List<List<StoredFile>> layers = new ArrayList<>();
        double mean = median * Math.exp(sigma * sigma / 2);
        for (int layer = 0; layer < trace.layers(); layer++) {
            long left = trace.layerBytes(layer);
            double scale = Math.max(1, left / (mean * most));
            List<StoredFile> files = new ArrayList<>();
            while (left > 0) {
                StoredFile file;
                if (!all.isEmpty() && random.nextDouble() < shared) {
                    file = all.get(random.nextInt(all.size()));
                } else {
                    long bytes = (long) (scale * median * Math.exp(sigma * random.nextGaussian()));
                    file = new StoredFile("f" + all.size(), Math.max(1, Math.min(left, bytes)));
                    all.add(file);
                }
                files.add(file);
                left -= Math.max(1, file.bytes());
            }
            layers.add(List.copyOf(files));
        }
        return layers;
    }
}
