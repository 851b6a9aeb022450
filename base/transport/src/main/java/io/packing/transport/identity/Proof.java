package io.packing.transport.identity;

/** By what a server knows who calls. */
public enum Proof {
    CERTIFICATE,
    /** A token that lets a job act as its user. */
    TOKEN,
    /** A token that was given for a Kerberos ticket. */
    KERBEROS
}
