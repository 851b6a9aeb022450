package io.packing.store;

/** What must hold for a put to take effect. */
public enum PutCondition {
    /** Create or replace. */
    NONE,
    /** Create only ({@code If-None-Match: *}); otherwise {@link PreconditionFailedException}. */
    IF_ABSENT
}
