package io.packing.sim.pack;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * What an object store charges and admits.
 *
 * @param putPer1000 dollars for 1,000 PUT-class requests; every part of a multipart upload is one
 * @param getPer1000 dollars for 1,000 GETs
 * @param storagePerGbMonth dollars for 10^9 bytes over a month
 * @param uploadPerGb dollars for 10^9 bytes uploaded
 * @param putsPerSecond PUT-class requests admitted per second and key partition
 */
public record StorePrices(
        double putPer1000, double getPer1000, double storagePerGbMonth, double uploadPerGb, double putsPerSecond) {
    static final double GB = 1e9;

    public StorePrices {
        if (!(putPer1000 >= 0 && getPer1000 >= 0 && storagePerGbMonth >= 0 && uploadPerGb >= 0)) {
            throw new IllegalArgumentException("a price is not a number from 0 up");
        }
        if (!(putsPerSecond > 0)) {
            throw new IllegalArgumentException("a store that admits %s PUTs per second".formatted(putsPerSecond));
        }
    }

    /** Reads a file of {@code conf/prices}. */
    public static StorePrices read(Path file) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
        }
        return new StorePrices(
                number(properties, file, "put.per.1000"),
                number(properties, file, "get.per.1000"),
                number(properties, file, "storage.per.gb.month"),
                number(properties, file, "upload.per.gb"),
                number(properties, file, "puts.per.second"));
    }

    private static double number(Properties properties, Path file, String key) {
        String text = properties.getProperty(key);
        if (text == null) {
            throw new IllegalArgumentException(file + " lacks " + key);
        }
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s: %s=%s is not a number".formatted(file, key, text), e);
        }
    }

    /** The same store with another limit. */
    public StorePrices withPutsPerSecond(double limit) {
        return new StorePrices(putPer1000, getPer1000, storagePerGbMonth, uploadPerGb, limit);
    }

    double requests(double puts) {
        return puts * putPer1000 / 1_000;
    }

    double storage(double bytes) {
        return bytes / GB * storagePerGbMonth;
    }

    double upload(double bytes) {
        return bytes / GB * uploadPerGb;
    }
}
