// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.direct;

import java.util.Locale;

/** The clients that an experiment can have beside packing. */
public enum DirectKind {
    /** The synchronous S3 client of the AWS SDK for Java 2, as AWS ships it. */
    SDK("AWS SDK"),
    /** Hadoop's client of S3, as Hadoop ships it. */
    S3A("S3A"),
    /** This project's own store client, which paces what a store refuses: a control, which no program uses directly. */
    PACED("our paced client");

    private final String title;

    DirectKind(String title) {
        this.title = title;
    }

    /** Returns the name for people. */
    public String title() {
        return title;
    }

    /** Returns the name on the command line and in results. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
