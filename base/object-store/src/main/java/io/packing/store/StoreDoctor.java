// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.store.StoreExamination.Finding;
import io.packing.store.StoreExamination.UsedCredentials;
import io.packing.store.credentials.AwsSettings;
import io.packing.store.credentials.CredentialsException;
import io.packing.store.credentials.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * An examination of a store by what this process would use. It writes a small object beside the mount's, asks for it a second time
 * under a condition, reads it and deletes it. Confined to one thread.
 */
public final class StoreDoctor {
    private static final Duration GOOD_CLOCK = Duration.ofMinutes(1);
    private static final ByteBuffer BYTES = ByteBuffer.wrap("packing doctor\n".getBytes(StandardCharsets.US_ASCII))
            .asReadOnlyBuffer();

    private final StoreOptions options;
    private final AwsSettings settings;
    private final Clock clock;
    private final RandomGenerator random;
    private final List<Finding> findings = new ArrayList<>();
    private @Nullable UsedCredentials credentials;
    private @Nullable String region;
    private @Nullable String regionFrom;
    private @Nullable Boolean conditionalPut;
    private @Nullable Long clockSkewMillis;

    StoreDoctor(StoreOptions options, AwsSettings settings, Clock clock, RandomGenerator random) {
        this.options = options;
        this.settings = settings;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Examines the store of these options. A store that cannot be used is a finding, and no failure.
     *
     * @param clock of this machine, compared with the store's
     * @param random for the name of the object
     */
    public static StoreExamination examine(StoreOptions options, Clock clock, RandomGenerator random) {
        return new StoreDoctor(options, AwsSettings.ofProcess(), clock, random).examine();
    }

    StoreExamination examine() {
        try {
            if (options.location() instanceof StoreLocation.Bucket bucket) {
                examine(bucket);
            } else {
                if (options.location() instanceof StoreLocation.InBucket elsewhere) {
                    credentials = StoreProvider.of(elsewhere).credentials(options);
                }
                try (ObjectStore store = ObjectStores.open(options)) {
                    use(store);
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            problem(String.valueOf(e.getMessage()));
        }
        noteClocks();
        return new StoreExamination(
                credentials,
                options.location().text(),
                options.endpoint().map(Object::toString).orElse(null),
                region,
                regionFrom,
                conditionalPut,
                clockSkewMillis,
                findings);
    }

    private void problem(String text) {
        findings.add(new Finding(true, text));
    }

    private void note(String text) {
        findings.add(new Finding(false, text));
    }

    /** Notes settings without effect, and settings that change the server. */
    private void noteSettings(Source.Kind used) {
        List<String> without = settings.passedOver(used);
        if (!without.isEmpty()) {
            note("%s: set, too, and without effect, since the source that is used goes before"
                    .formatted(String.join(", ", without)));
        }
        settings.otherServer()
                .filter(server -> options.endpoint().isEmpty())
                .ifPresent(server -> note("requests go to another server than AWS's, by " + server));
    }

    private void examine(StoreLocation.Bucket bucket) throws IOException {
        S3Connection connection;
        try {
            connection = S3Connection.open(options, settings, List.of(new ClockWatch()));
        } catch (CredentialsException e) {
            problem(String.valueOf(e.getMessage()));
            return;
        }
        // The store closes the connection.
        try (S3ObjectStore store = ObjectStores.over(connection, options, bucket, RequestListener.NONE, random)) {
            noteSettings(connection.credentials().source().kind());
            region = connection.region().name();
            regionFrom = connection.region().saidBy();
            if (name(connection)) {
                store.check();
                use(store);
            }
        }
    }

    private void noteClocks() {
        if (clockSkewMillis != null && Duration.ofMillis(clockSkewMillis).abs().compareTo(GOOD_CLOCK) > 0) {
            note(
                    "the clocks of this machine and of the store are %d s apart: stores refuse requests beyond 15 minutes; set the clock"
                            .formatted(Math.abs(clockSkewMillis) / 1_000));
        }
    }

    /** Finds out whose the credentials are; returns whether there are any. */
    private boolean name(S3Connection connection) {
        Source source = connection.credentials().source();
        Optional<String> key = Optional.empty();
        try {
            key = Optional.of(connection.credentials().resolveCredentials().accessKeyId());
        } catch (CredentialsException e) {
            problem(String.valueOf(e.getMessage()));
        }
        Optional<String> identity = key;
        if (key.isPresent() && isOfAws(source)) {
            try {
                identity = Optional.of(connection.identity());
            } catch (SdkException e) {
                note("AWS's token service does not say whose the credentials are: " + e.getMessage());
            }
        }
        credentials = new UsedCredentials(
                source.kind().name().toLowerCase(Locale.ROOT), source.name(), source.askedBy(), identity.orElse(null));
        return key.isPresent();
    }

    /** Returns whether AWS knows these credentials: to other stores' keys it would only learn their names. */
    private boolean isOfAws(Source source) {
        return options.endpoint().isEmpty()
                || source.kind() == Source.Kind.WEB_IDENTITY
                || source.kind() == Source.Kind.CONTAINER
                || source.kind() == Source.Kind.MACHINE;
    }

    private void use(ObjectStore store) throws IOException {
        String key = "doctor-%016x".formatted(random.nextLong());
        store.put(key, BYTES.duplicate(), PutCondition.IF_ABSENT);
        try {
            conditionalPut = isRefused(store, key);
            if (!conditionalPut) {
                problem(
                        ("the store ignores the condition of a PUT (If-None-Match: *), by which masters keep each other from a mount:"
                                + " take a store, or a version of it, that knows it"));
            }
            if (!store.get(key, 0, BYTES.remaining()).equals(BYTES)) {
                problem("the store gives other bytes than were put");
            }
        } finally {
            store.delete(List.of(key));
        }
    }

    private static boolean isRefused(ObjectStore store, String key) throws IOException {
        try {
            store.put(key, BYTES.duplicate(), PutCondition.IF_ABSENT);
            return false;
        } catch (PreconditionFailedException e) {
            return true;
        }
    }

    /** A listener to the dates of the store's answers. The first one is compared: an answer takes longer when it is repeated. */
    private final class ClockWatch implements ExecutionInterceptor {
        private @Nullable Instant asked;

        @Override
        public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
            asked = clock.instant();
        }

        @Override
        public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
            Optional<String> date = context.httpResponse().firstMatchingHeader("Date");
            Instant before = asked;
            if (clockSkewMillis != null || date.isEmpty() || before == null) {
                return;
            }
            try {
                Instant there = ZonedDateTime.parse(date.get(), DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant();
                Instant here =
                        before.plus(Duration.between(before, clock.instant()).dividedBy(2));
                long millis = Duration.between(here, there).toMillis();
                // The date has whole seconds.
                clockSkewMillis = millis <= 0 && millis > -1_000 ? 0 : millis;
            } catch (DateTimeParseException e) {
                // A store whose date is not readable tells no time.
            }
        }
    }
}
