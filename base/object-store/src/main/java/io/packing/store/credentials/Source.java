// SPDX-License-Identifier: Apache-2.0
package io.packing.store.credentials;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import software.amazon.awssdk.core.exception.SdkServiceException;

/**
 * A source of credentials that a process was asked to use.
 *
 * @param kind such as {@code web_identity}
 * @param name what it gives, such as {@code the role arn:aws:iam::1:role/r}
 * @param askedBy the settings or options that ask for it
 * @param remedy what to do when it gives nothing
 */
public record Source(Kind kind, String name, String askedBy, String remedy) {
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;

    /** The kinds of source, in the order in which a process looks for them. */
    public enum Kind {
        /** {@code packing.s3.credentials.file}. */
        FILE,
        /** {@code packing.s3.access.key} and its secret. */
        KEYS,
        /** Java's properties. */
        PROPERTIES,
        /** Variables of the environment. */
        ENVIRONMENT,
        /** The identity of a pod, which becomes a role. */
        WEB_IDENTITY,
        /** A profile of AWS's configuration. */
        PROFILE,
        /** The credentials of a container or pod, by HTTP. */
        CONTAINER,
        /** The role of the machine. */
        MACHINE
    }

    /** Returns the source of the keys in options. */
    public static Source ofKeys() {
        return new Source(
                Kind.KEYS,
                "the keys",
                "packing.s3.access.key, or PACKING_S3_ACCESS_KEY and PACKING_S3_SECRET_KEY",
                "check the keys");
    }

    /** Returns the source of a file in AWS's format. */
    public static Source ofFile(String file) {
        return new Source(
                Kind.FILE,
                "the keys of profile default in " + file,
                "packing.s3.credentials.file",
                "check the keys in the file, and put new ones there by a rename");
    }

    /** Returns the name with what asks for it. */
    public String text() {
        return "%s, asked for by %s".formatted(name, askedBy);
    }

    /**
     * Returns the failure of this source.
     *
     * @param worked whether it has given credentials before
     */
    CredentialsException failed(RuntimeException cause, boolean worked) {
        // Off AWS there is no metadata service, and to wait for one would only delay the message.
        boolean passing = (worked || kind != Kind.MACHINE) && mayPass(cause);
        return new CredentialsException(
                "credentials: %s, asked for by %s, cannot be had: %s. Next: %s. No other source is tried"
                        .formatted(name, askedBy, reason(cause), remedy),
                passing,
                cause);
    }

    private static boolean mayPass(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SdkServiceException service) {
                return service.statusCode() >= SERVER_ERROR
                        || service.statusCode() == TOO_MANY
                        || service.isThrottlingException();
            }
            if (cause instanceof FileSystemException || cause instanceof FileNotFoundException) {
                return false;
            }
            if (cause instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    private static String reason(Throwable failure) {
        String text = String.valueOf(failure.getMessage());
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String why = String.valueOf(deepest.getMessage());
        String all = text.contains(why)
                ? text
                : "%s (%s: %s)".formatted(text, deepest.getClass().getSimpleName(), why);
        return all.strip().replaceAll("[.\\s]+$", "");
    }
}
