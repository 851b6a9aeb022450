// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import io.packing.spans.SpanOptions;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The options of {@link SpanOptions}, of mounts and of masters, each below their own prefix. */
public final class SpanOptionKeys {
    /** The options of workers and clients, such as {@code packing.spans.otlp}. */
    public static final SpanOptionKeys OF_MOUNTS = new SpanOptionKeys("packing.");

    /** The options of BDT masters, which send spans only for calls that their callers sample. */
    public static final SpanOptionKeys OF_MASTERS = new SpanOptionKeys("bdt.");

    private final Option<Optional<URI>> collector;
    private final Option<Double> sample;
    private final Option<Boolean> paths;

    private SpanOptionKeys(String prefix) {
        collector = new Option<>(
                prefix + "spans.otlp",
                "",
                "The collector of spans, by OTLP over HTTP, such as http://127.0.0.1:4318; empty: no spans.",
                SpanOptionKeys::address);
        sample = new Option<>(
                prefix + "spans.sample",
                "0.01",
                "Share of the calls whose spans are sent, 0 to 1. A caller that brings a context has decided "
                        + "already.",
                SpanOptionKeys::share);
        paths = new Option<>(
                prefix + "spans.paths",
                "false",
                "Whether spans have the path of their file. Paths may be users' data.",
                Parsers::flag);
    }

    /** Returns the options of a process that begins spans for its users' calls. */
    public List<Option<?>> ofMounts() {
        return List.of(collector, sample, paths);
    }

    /** Returns the options of a process that only serves. */
    public List<Option<?>> ofServers() {
        return List.of(collector);
    }

    private static Optional<URI> address(String text) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        try {
            URI address = URI.create(text.strip());
            if (address.getHost() != null
                    && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()))) {
                return Optional.of(address);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("expected an address such as http://127.0.0.1:4318", e);
        }
        throw new IllegalArgumentException("expected an address such as http://127.0.0.1:4318");
    }

    private static double share(String text) {
        double share;
        try {
            share = Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a number from 0 to 1", e);
        }
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("expected a number from 0 to 1");
        }
        return share;
    }

    /** Returns the settings that the options of a mount give together. */
    public SpanOptions ofMount(Options options) {
        return new SpanOptions(options.get(collector), options.get(sample), options.get(paths));
    }

    /** Returns the settings that the options of a server give. */
    public SpanOptions ofServer(Options options) {
        return new SpanOptions(options.get(collector), 0, false);
    }

    /** Returns other options only: these concern this process alone. */
    public Map<String, String> without(Map<String, String> raw) {
        Map<String, String> left = new HashMap<>(raw);
        ofMounts().forEach(option -> left.remove(option.key()));
        return left;
    }
}
