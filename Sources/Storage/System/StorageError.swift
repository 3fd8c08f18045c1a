// SPDX-License-Identifier: MIT

import Glibc
package import Platform
package import RadioCore

/// Why something could not be stored, in terms that help the user to act.
package struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. The raw value is suitable for metrics and sidecars.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case noSpace = "no-space"
        /// The disk has less free space than the setting `keep-free` requires.
        case keptFree = "kept-free"
        case quota
        case readOnly = "read-only"
        case fileTooLarge = "file-too-large"
        case denied
        case missing
        /// Somebody has moved a growing file to another folder.
        case moved
        case notAFolder = "not-a-folder"
        case stale
        case inputOutput = "input-output"
        case nameTaken = "name-taken"
        case nameTooLong = "name-too-long"
        case badName = "bad-name"
        case notMounted = "not-mounted"
        case becameLink = "became-link"
        case appendOnly = "append-only"
        case tooManyOpen = "too-many-open"
        case notAnswering = "not-answering"
        case other
    }

    /// The failed action.
    package enum Action: String, Hashable, Sendable {
        case openFolder = "use the folder"
        case writeFolder = "write to the folder"
        case makeFolder = "create the folder"
        case create = "create"
        case write = "write"
        case complete = "complete"
        /// To write the head or the last page of a file again, once its audio is complete.
        case patch = "write tags and length into"
        case sync = "sync"
        case rename = "give its final name to"
        case writeSidecar = "write the sidecar"
        case recover = "recover"
        case read = "read"
    }

    package var code: Code
    package var action: Action
    /// The object of the action: a path as the user knows it.
    package var path: String
    /// The underlying `errno`; 0 if there is none.
    package var errorNumber: CInt

    package init(code: Code, action: Action, path: String, errorNumber: CInt = 0) {
        self.code = code
        self.action = action
        self.path = path
        self.errorNumber = errorNumber
    }

    /// The error for a failed call.
    package init(_ error: SystemError, _ action: Action, _ path: String) {
        let code = action == .patch && error.refusesPatches ? .appendOnly : Code(errorNumber: error.number)
        self.init(code: code, action: action, path: path, errorNumber: error.number)
    }

    /// The failed action, its object and its cause: "cannot write rec/a.mp3.part: no space left on the disk".
    package var message: String {
        "cannot \(action.rawValue) \(path): \(cause)"
    }

    /// The cause, in a few words.
    package var cause: String {
        switch code {
        case .noSpace: "no space left on the disk"
        case .keptFree: "the rest of the disk's space must stay free"
        case .quota: "the disk quota is used up"
        case .readOnly: "the file system is read-only"
        case .fileTooLarge: "the file would be larger than is allowed"
        case .denied: "permission denied"
        case .missing: "it or its folder does not exist"
        case .moved: "somebody has moved it to another folder"
        case .notAFolder: "not a folder"
        case .stale: "the network file system has lost it"
        case .inputOutput: "the disk reported an error"
        case .nameTaken: "too many files of that name"
        case .nameTooLong: "the name is too long"
        case .badName: "the name leaves the folder or is empty"
        case .notMounted: "its disk is no longer mounted"
        case .becameLink: "a link has taken its place"
        case .appendOnly: "the disk takes data only at the end of a file"
        case .tooManyOpen: "too many open files"
        case .notAnswering: "the disk does not answer"
        case .other: errorNumber == 0 ? "unknown error" : "\(SystemError(number: errorNumber))"
        }
    }

    /// What the user can do.
    package var remedy: String {
        switch code {
        case .noSpace: "free some space there"
        case .keptFree: "free some space there, or keep less of it free"
        case .quota: "free some of your space there, or have the quota raised"
        case .readOnly: "remount it writable, or choose another folder"
        case .fileTooLarge: "raise the limit (ulimit -f), or record shorter segments"
        case .denied: "make the folder writable for this user, or choose another"
        case .missing: "create the folder, or choose another"
        case .moved: "run 'aircheck repair' for the folder where it is now"
        case .notAFolder: "choose a folder"
        case .stale: "mount the network file system again"
        case .inputOutput: "check the disk and its cable"
        case .nameTaken: "choose a name template that tells files apart"
        case .nameTooLong, .badName: "choose another name template"
        case .notMounted: "mount the disk again, or restart Aircheck to record without it"
        case .becameLink: "put the folder back, or restart Aircheck if you have moved it"
        case .appendOnly: "the audio is complete; to have them, use another disk (or a cache for writing)"
        case .tooManyOpen: "raise the limit of open files (ulimit -n)"
        case .notAnswering: "check the disk or the network it is behind"
        case .other: "choose another folder"
        }
    }

    /// The setting to change, if any.
    private var setting: SettingField? {
        switch code {
        case .readOnly, .denied, .missing, .notAFolder, .other: .output
        case .keptFree: .keepFree
        case .moved, .noSpace, .quota, .fileTooLarge, .stale, .inputOutput, .nameTaken, .nameTooLong, .badName,
            .notMounted, .becameLink, .appendOnly, .tooManyOpen, .notAnswering:
            nil
        }
    }

    package var description: String { "\(message): \(remedy)" }

    /// The error as a ``Failure``, for stations and exit codes.
    package var failure: Failure {
        Failure(.storage, message, remedy: remedy, setting: setting)
    }
}

extension SystemError {
    /// Whether a file system that takes data only at the end of a file reports this when bytes are to be replaced.
    var refusesPatches: Bool {
        [EPERM, EACCES, ESPIPE, EOPNOTSUPP, ENOSYS, EINVAL, EBADF].contains(number)
    }
}

extension StorageError.Code {
    /// The kind for an error number.
    package init(errorNumber: CInt) {
        self =
            switch errorNumber {
            case ENOSPC: .noSpace
            case EDQUOT: .quota
            case EROFS: .readOnly
            case EFBIG: .fileTooLarge
            case EACCES, EPERM: .denied
            case ENOENT, ENXIO, ENODEV: .missing
            case ENOTDIR, ELOOP: .notAFolder
            case ESTALE: .stale
            case EIO: .inputOutput
            case EEXIST: .nameTaken
            case ENAMETOOLONG: .nameTooLong
            case EMFILE, ENFILE: .tooManyOpen
            case ETIMEDOUT: .notAnswering
            default: .other
            }
    }
}
