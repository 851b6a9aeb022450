// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

/** The kinds of request that stores price apart. */
public enum RequestKind {
    /** A write: put, multipart start, part and completion. */
    PUT,
    /** A read of an object's bytes, whole or in part. */
    GET,
    /** A page of a listing. */
    LIST,
    /** A question about one object or bucket. */
    HEAD,
    /** A delete, of one object or of a batch. */
    DELETE
}
