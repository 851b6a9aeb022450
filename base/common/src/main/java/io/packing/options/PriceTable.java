// SPDX-License-Identifier: Apache-2.0
package io.packing.options;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/**
 * The prices and limits of an object store (§2.1, §2.4): a file of {@code conf/prices}. All code that names a price
 * reads it here.
 *
 * @param putPer1000 dollars for 1,000 PUTs, COPYs and POSTs; every part of a multipart upload is one
 * @param listPer1000 dollars for 1,000 LISTs
 * @param getPer1000 dollars for 1,000 GETs
 * @param headPer1000 dollars for 1,000 HEADs; DELETE is free
 * @param gbBytes the bytes of a GB on the store's bill
 * @param storagePerGbMonth dollars for a GB over a month
 * @param uploadPerGb dollars for a GB uploaded
 * @param putsPerSecond PUT-class requests admitted per second and key partition
 */
public record PriceTable(
        double putPer1000,
        double listPer1000,
        double getPer1000,
        double headPer1000,
        double gbBytes,
        double storagePerGbMonth,
        double uploadPerGb,
        double putsPerSecond) {
    private static final String PUT = "put.per.1000";
    private static final String LIST = "list.per.1000";
    private static final String GET = "get.per.1000";
    private static final String HEAD = "head.per.1000";
    private static final String GB = "gb.bytes";
    private static final String STORAGE = "storage.per.gb.month";
    private static final String UPLOAD = "upload.per.gb";
    private static final String PUTS_PER_SECOND = "puts.per.second";
    private static final Set<String> KEYS = Set.of(PUT, LIST, GET, HEAD, GB, STORAGE, UPLOAD, PUTS_PER_SECOND);

    public PriceTable {
        for (double price : List.of(putPer1000, listPer1000, getPer1000, headPer1000, storagePerGbMonth, uploadPerGb)) {
            if (!(price >= 0 && price < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("a price is a number from 0 up, not " + price);
            }
        }
        if (!(gbBytes > 0 && gbBytes < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("a GB of %s bytes".formatted(gbBytes));
        }
        if (!(putsPerSecond > 0)) {
            throw new IllegalArgumentException("a store that admits %s PUTs per second".formatted(putsPerSecond));
        }
    }

    /**
     * Reads a file of {@code conf/prices}.
     *
     * @throws IllegalArgumentException naming the file and its missing, malformed or unknown key
     */
    public static PriceTable read(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(in);
        }
        return of(properties, file.toString());
    }

    /**
     * Returns the prices of the usual class of a store, which is the one in the location's own words. A directory, and a server of
     * S3's protocol, count as Amazon's.
     *
     * @param location of a store, such as {@code gs://bucket/prefix}
     */
    public static PriceTable ofLocation(String location) {
        if (location.startsWith("gs:")) {
            return shipped("gcs-standard");
        }
        return shipped(location.startsWith("abfs") ? "azure-hot" : "s3-standard");
    }

    private static PriceTable shipped(String name) {
        String resource = "prices/" + name + ".properties";
        try (InputStream in = PriceTable.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is not part of this program");
            }
            Properties properties = new Properties();
            properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
            return of(properties, resource);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the table in the properties of such a file.
     *
     * @param source name of the file, for messages
     */
    public static PriceTable of(Properties properties, String source) {
        Set<String> unknown = new HashSet<>(properties.stringPropertyNames());
        unknown.removeAll(KEYS);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("%s: unknown keys %s; valid are %s".formatted(source, unknown, KEYS));
        }
        try {
            return new PriceTable(
                    number(properties, PUT),
                    number(properties, LIST),
                    number(properties, GET),
                    number(properties, HEAD),
                    number(properties, GB),
                    number(properties, STORAGE),
                    number(properties, UPLOAD),
                    number(properties, PUTS_PER_SECOND));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(source + ": " + e.getMessage(), e);
        }
    }

    private static double number(Properties properties, String key) {
        String text = properties.getProperty(key);
        if (text == null) {
            throw new IllegalArgumentException("it lacks " + key);
        }
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s=%s is not a number".formatted(key, text), e);
        }
    }

    /** Returns the values by their keys in such a file. */
    public Map<String, Double> values() {
        Map<String, Double> values = new TreeMap<>();
        values.put(PUT, putPer1000);
        values.put(LIST, listPer1000);
        values.put(GET, getPer1000);
        values.put(HEAD, headPer1000);
        values.put(GB, gbBytes);
        values.put(STORAGE, storagePerGbMonth);
        values.put(UPLOAD, uploadPerGb);
        values.put(PUTS_PER_SECOND, putsPerSecond);
        return values;
    }

    /** Returns this table with another limit. */
    public PriceTable withPutsPerSecond(double limit) {
        return new PriceTable(
                putPer1000, listPer1000, getPer1000, headPer1000, gbBytes, storagePerGbMonth, uploadPerGb, limit);
    }

    /** Returns the dollars for so many answered requests, perhaps estimated ones. */
    public double requests(double puts, double lists, double gets, double heads) {
        return (puts * putPer1000 + lists * listPer1000 + gets * getPer1000 + heads * headPer1000) / 1_000;
    }

    /** Returns the dollars for so many answered requests. */
    public double requests(long puts, long lists, long gets, long heads) {
        return requests((double) puts, (double) lists, (double) gets, (double) heads);
    }

    /** Returns the dollars for storing so many bytes for a month. */
    public double storage(double bytes) {
        return bytes / gbBytes * storagePerGbMonth;
    }

    /** Returns the dollars for uploading so many bytes. */
    public double upload(double bytes) {
        return bytes / gbBytes * uploadPerGb;
    }
}
