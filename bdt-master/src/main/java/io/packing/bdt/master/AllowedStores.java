// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.store.StoreAddress;
import io.packing.store.StoreLocation;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The stores that an operator lets a BDT master use. A client names the store of its mount; the master goes nowhere else,
 * neither with its own credentials nor with the client's.
 *
 * <pre>
 * s3://bucket/prefix                      a prefix of a bucket of AWS's own S3
 * s3://bucket/prefix@aws-cn               the same in another partition of AWS
 * s3://bucket/prefix@https://host:9000    a prefix of a bucket of another S3 server, with the bucket in the path
 * gs://bucket/prefix                      a prefix of a bucket of Google Cloud Storage
 * abfs://container@account/prefix         a prefix of a container of Azure's storage
 * file:///dir                             a directory
 * </pre>
 */
public record AllowedStores(List<Entry> entries) {
    /** None: a master that opens no mount. */
    public static final AllowedStores NONE = new AllowedStores(List.of());

    private static final Pattern BETWEEN = Pattern.compile("\\s*,\\s*(?=(?:s3a?|gs|abfss?|file):)");
    private static final Pattern BUCKET_AT_SERVER =
            Pattern.compile("((?:s3a?|gs|abfss?)://.+)@(https?://.+|aws(?:-[a-z0-9-]+)?)");
    private static final String AWS = "aws";

    public AllowedStores {
        entries = List.copyOf(entries);
    }

    /** A location and everything below it, at a server as {@link StoreAddress} spells it. */
    public record Entry(StoreLocation location, String server) {
        private static Entry parse(String text) {
            Matcher atServer = BUCKET_AT_SERVER.matcher(text);
            if (atServer.matches()) {
                return new Entry(StoreLocation.parse(atServer.group(1)), server(atServer.group(2)));
            }
            StoreLocation location = StoreLocation.parse(text);
            return new Entry(location, location instanceof StoreLocation.Bucket ? AWS : "");
        }

        private static String server(String text) {
            return text.startsWith("http") ? StoreAddress.server(endpoint(text)) : text;
        }

        private static URI endpoint(String text) {
            return StoreOptions.ENDPOINT
                    .parser()
                    .apply(text)
                    .orElseThrow(() -> new IllegalArgumentException("expected a URL such as https://host:9000"));
        }
    }

    /** Parses a list with commas between the stores. */
    public static AllowedStores parse(String text) {
        return text.isBlank()
                ? NONE
                : new AllowedStores(Arrays.stream(BETWEEN.split(text.strip(), -1))
                        .map(Entry::parse)
                        .toList());
    }

    /**
     * Lets a mount's store pass.
     *
     * @throws StoreNotAllowedException naming the store and the option that would allow it
     */
    void check(StoreAddress wanted) throws IOException {
        for (Entry entry : entries) {
            if (wanted.isWithin(StoreAddress.of(entry.location(), entry.server()))) {
                return;
            }
        }
        throw new StoreNotAllowedException(
                wanted,
                ("this BDT master may not use %s: it is allowed %s. Its operator allows it with"
                                + " `packing bdt-master --store %s`, or by adding it to the master's option bdt.stores")
                        .formatted(wanted, this, wanted));
    }

    @Override
    public String toString() {
        return entries.isEmpty()
                ? "no store"
                : entries.stream()
                        .map(entry -> new StoreAddress(entry.location(), entry.server()).text())
                        .collect(Collectors.joining(", "));
    }
}
