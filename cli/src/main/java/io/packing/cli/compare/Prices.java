package io.packing.cli.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** What a store charges for a thousand requests, in dollars. */
public record Prices(double putPer1000, double listPer1000, double getPer1000, double headPer1000) {
    public Prices {
        if (!(putPer1000 >= 0 && listPer1000 >= 0 && getPer1000 >= 0 && headPer1000 >= 0)) {
            throw new IllegalArgumentException("a price is not a number from 0 up");
        }
    }

    /** Reads a file of {@code conf/prices}. */
    public static Prices read(Path file) throws IOException {
        var properties = new Properties();
        try (var in = Files.newInputStream(file)) {
            properties.load(in);
        }
        return new Prices(
                price(properties, file, "put"),
                price(properties, file, "list"),
                price(properties, file, "get"),
                price(properties, file, "head"));
    }

    private static double price(Properties properties, Path file, String kind) {
        var key = kind + ".per.1000";
        var text = properties.getProperty(key);
        if (text == null) {
            throw new IllegalArgumentException(file + " lacks " + key);
        }
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s: %s=%s is not a number".formatted(file, key, text), e);
        }
    }

    /** The price of so many requests. */
    public double dollars(Requests requests) {
        return (requests.put() * putPer1000
                        + requests.list() * listPer1000
                        + requests.get() * getPer1000
                        + requests.head() * headPer1000)
                / 1000;
    }
}
