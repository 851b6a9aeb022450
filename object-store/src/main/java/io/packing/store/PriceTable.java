package io.packing.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * What requests cost, in dollars per 1,000.
 *
 * @param put PUT, COPY, POST and LIST
 * @param get GET and HEAD; DELETE is free
 */
public record PriceTable(BigDecimal put, BigDecimal get) {
    /** The price class of S3 Standard. */
    public static final String S3_STANDARD = "s3-standard";

    /** The price class of S3 Express One Zone. */
    public static final String S3_EXPRESS = "s3-express";

    public PriceTable {
        if (put.signum() < 0 || get.signum() < 0) {
            throw new IllegalArgumentException("negative prices: put %s, get %s".formatted(put, get));
        }
    }

    /** The prices of this build ({@code conf/prices.properties}). */
    public static PriceTable builtIn(String priceClass) {
        try (InputStream stream = PriceTable.class.getResourceAsStream("/io/packing/store/prices.properties")) {
            if (stream == null) {
                throw new IllegalStateException("prices.properties is missing in the object-store jar");
            }
            return parse(new String(stream.readAllBytes(), StandardCharsets.UTF_8), priceClass, "built-in prices");
        } catch (IOException e) {
            throw new IllegalStateException("prices.properties in the object-store jar cannot be read", e);
        }
    }

    /** The prices of a file in the format of {@code conf/prices.properties}. */
    public static PriceTable load(Path file, String priceClass) throws IOException {
        return parse(Files.readString(file), priceClass, file.toString());
    }

    private static PriceTable parse(String text, String priceClass, String source) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = new StringReader(text)) {
            properties.load(reader);
        }
        return new PriceTable(
                price(properties, priceClass + ".put", source), price(properties, priceClass + ".get", source));
    }

    private static BigDecimal price(Properties properties, String key, String source) {
        String text = properties.getProperty(key);
        if (text == null) {
            throw new IllegalArgumentException(
                    "%s: no price '%s'; it has %s".formatted(source, key, properties.stringPropertyNames()));
        }
        try {
            return new BigDecimal(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s: price %s is '%s', not a number".formatted(source, key, text), e);
        }
    }

    /** Dollars for so many requests. */
    public BigDecimal dollars(long putClass, long getClass) {
        return put.multiply(BigDecimal.valueOf(putClass))
                .add(get.multiply(BigDecimal.valueOf(getClass)))
                .movePointLeft(3);
    }
}
