// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.identity;

/** The evidence by which a server knows its caller. */
public enum Proof {
    CERTIFICATE,
    /** A token that lets a job act as its user. */
    TOKEN,
    /** A token that the master gave for a Kerberos ticket. */
    KERBEROS
}
